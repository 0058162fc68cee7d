import type { Page } from "@playwright/test";
import { freezeTab, thawTab } from "signett/testing/playwright";
import { within } from "./within.js";

const TICK = "signettChaosTick";
/** What was on its way when the scripts stopped may still arrive. */
const UNDERWAY_MS = 300;
const LONGEST_MS = 10_000;

/**
 * Freezes a tab while something lasts, and proves it: its timer ticks before and after, and not in between.
 * @throws {Error} when it ticked, or could not be frozen or thawed.
 */
export async function standStill(page: Page, meanwhile: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  let ticked = () => {};
  let last = 0;
  session.on("Runtime.bindingCalled", ({ name }) => {
    if (name !== TICK) return;
    last = performance.now();
    ticked();
  });
  const tick = () =>
    within(
      LONGEST_MS,
      "a tick",
      new Promise<void>((resolve) => {
        ticked = resolve;
      }),
    );
  await session.send("Runtime.enable");
  await session.send("Runtime.addBinding", { name: TICK });
  const expression = `setInterval(() => ${TICK}(""), 20)`;
  const { result } = await session.send("Runtime.evaluate", { expression });
  await tick();
  await within(LONGEST_MS, "freezing", freezeTab(page));
  const frozen = performance.now();
  await meanwhile();
  const stood = last < frozen + UNDERWAY_MS;
  const again = tick();
  await within(LONGEST_MS, "thawing", thawTab(page));
  await again;
  await session.send("Runtime.evaluate", { expression: `clearInterval(${result.value})` });
  await session.detach();
  if (!stood) throw new Error("The tab was frozen, and its timer ticked.");
}
