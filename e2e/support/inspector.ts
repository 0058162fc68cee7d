import type { Locator, Page } from "@playwright/test";
import type {} from "../pages/inspector.js";
import { expect, ready } from "./test.js";

/** The Inspector as a person finds it on a page. */
export class InspectorPanel {
  readonly page: Page;
  /** The element whose shadow root the panel is in. */
  readonly host: Locator;

  private constructor(page: Page) {
    this.page = page;
    this.host = page.locator("signett-inspector");
  }

  /** Opens the page of the inspected shop and mounts an Inspector on it. */
  static async mount(page: Page, path = "/inspector.html"): Promise<InspectorPanel> {
    await page.goto(path);
    await ready(page);
    await page.evaluate(() => window.inspector.open());
    return new InspectorPanel(page);
  }

  /** The Inspector that the page has mounted itself. */
  static on(page: Page): InspectorPanel {
    return new InspectorPanel(page);
  }

  tab(name: "Tools" | "Calls" | "Keys" | "Profile"): Locator {
    return this.page.getByRole("tab", { name: new RegExp(`^${name}`) });
  }

  async open(name: "Tools" | "Calls" | "Keys" | "Profile"): Promise<void> {
    await this.tab(name).click();
  }

  grid(name: string): Locator {
    return this.page.getByRole("grid", { name });
  }

  /** A row of the list that is open. The head is none. */
  row(text: string | RegExp): Locator {
    return this.page.locator(".view:not([hidden]) .rows > .row").filter({ hasText: text });
  }

  async selectTool(name: string): Promise<Locator> {
    await this.row(name).click();
    const detail = this.page.getByRole("region", { name: "Tool", exact: true });
    await expect(detail.getByRole("heading", { name })).toBeVisible();
    return detail;
  }

  get data(): Locator {
    return this.page.getByRole("switch", { name: "Show data" });
  }
}
