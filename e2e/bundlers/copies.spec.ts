import { expect, test } from "@playwright/test";
import type * as client from "../../client/index.js";
import type * as signett from "../../src/index.js";
import { twoCopies } from "./builds.js";
import { sharedWorkers } from "./shared-workers.js";

declare global {
  interface Window {
    copies?: (typeof signett & typeof client)[];
    violations: string[];
  }
}

test("two copies of the library in one page have one profile, one Trusted Types policy, and know each other's errors", async ({
  browser,
  page,
}) => {
  await page.addInitScript(() => {
    window.violations = [];
    addEventListener("securitypolicyviolation", ({ violatedDirective, sample }) => {
      window.violations.push(`${violatedDirective} ${sample}`);
    });
  });
  const served = await twoCopies();
  await page.goto(served.url);
  await page.waitForFunction(() => window.copies?.length === 2);

  const seen = await page.evaluate(async () => {
    const [one, two] = window.copies ?? [];
    if (!one || !two) throw new Error("There are no two copies.");
    const profile = one.connectProfile();
    await profile.ready();
    // A profile of the other copy's own starts its worker through the same policy.
    await two.connectProfile({ namespace: "other" }).ready();
    const theirs = new two.ToolError({ code: "stale", message: "Stale." });
    return {
      distinct: one.ToolError !== two.ToolError,
      sameProfile: two.connectProfile() === profile,
      known: theirs instanceof one.ToolError && theirs instanceof one.SignettError,
      violations: window.violations,
    };
  });

  expect(seen).toEqual({ distinct: true, sameProfile: true, known: true, violations: [] });
  expect(await sharedWorkers(browser)).toHaveLength(2);
  await served.stop();
});
