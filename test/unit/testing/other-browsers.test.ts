import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import { callTool } from "../../../src/testing/playwright/call-tool.js";
import { crashTab, freezeTab } from "../../../src/testing/playwright/deaths.js";
import { goAndComeBack } from "../../../src/testing/playwright/go-and-come-back.js";
import { killWorker, wedgeWorker, workers } from "../../../src/testing/playwright/workers.js";

/** As much of a page as there is before a helper needs DevTools. */
function pageOf(browserName: string): Page {
  const context = {
    browser: () => ({ browserType: () => ({ name: () => browserName }) }),
    pages: () => [page],
    newCDPSession: async () => {
      throw new Error("CDP session is only supported in Chromium");
    },
  };
  const page = {
    context: () => context,
    isClosed: () => false,
    evaluate: async () => ({ via: "native", native: true }),
  };
  return page as unknown as Page;
}

const helpers: [name: string, use: (page: Page) => Promise<unknown>][] = [
  ["crashTab", crashTab],
  ["freezeTab", freezeTab],
  ["goAndComeBack", goAndComeBack],
  ["workers", (page) => workers(page.context())],
  ["killWorker", (page) => killWorker(page.context())],
  ["wedgeWorker", (page) => wedgeWorker(page.context())],
  ["callTool through native WebMCP", (page) => callTool(page, "send_note")],
];

test.for(helpers)(
  "%s says in Firefox that it needs Chromium, and does not pass for nothing",
  async ([name, use]) => {
    await expect(use(pageOf("firefox"))).rejects.toThrow(
      `${name} works in Chromium only: it needs the DevTools protocol, which firefox does not have.`,
    );
  },
);

test("a browser that does not tell its name is found out when it has no DevTools", async () => {
  const page = pageOf("");
  const context = { ...page.context(), browser: () => null };
  await expect(crashTab({ ...page, context: () => context } as unknown as Page)).rejects.toThrow(
    "which this browser does not have",
  );
});
