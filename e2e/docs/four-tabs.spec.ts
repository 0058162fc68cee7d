import { callInAll, crashTab, expect, ownerOf, test } from "signett/testing/playwright";

test("four tabs call at once, the owner crashes, one effect", async ({ context, openTabs }) => {
  const effects: string[] = [];
  await context.route("**/api/notes/17", async (route) => {
    // Asked later, the server knows the note.
    if (route.request().method() === "GET") return await route.fulfill({ json: { sent: "17" } });
    // The effect happens, and its answer never comes.
    effects.push("17");
  });
  const tabs = await openTabs("/notes.html", 4);
  const calls = callInAll(tabs, "send_note", { id: "17", text: "Lunch at noon." });
  const owner = await ownerOf(tabs);
  await expect.poll(() => effects).toHaveLength(1);
  await crashTab(owner);

  expect(await calls).toHaveConverged();
  expect(effects).toHaveLength(1);
});
