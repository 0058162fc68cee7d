import { callTool, eventsOf, expect, goAndComeBack } from "signett/testing/playwright";
import { note, test } from "./support/notes.js";

/** Chromium as people run it: Playwright turns the back/forward cache off. */
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ["--disable-back-forward-cache"] }),
});

test("a page that is idle goes and comes back with what it knew", async ({ openTabs, notes }) => {
  const [page] = await openTabs("/notes.html");
  expect(await callTool(page, "send_note", note)).toMatchObject({ status: "answered" });
  await goAndComeBack(page);
  expect((await eventsOf(page)).map(({ stage }) => stage)).toContain("succeeded");
  expect(await callTool(page, "send_note", note)).toBeReplayed();
  expect(notes.sent).toEqual(["n-1"]);
});
