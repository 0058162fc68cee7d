import { expect, test } from "vitest";
import { NotesServer, note, openTab, twoTabs } from "./notes.js";

test("two tabs that send one note at once send it once, and both hear the same", async () => {
  const server = new NotesServer();
  const tabs = await Promise.all(twoTabs().map((profile) => openTab(server, profile)));
  const answers = await Promise.all(tabs.map((tab) => tab.send(note)));
  expect(answers).toEqual([{ sent: "17" }, { sent: "17" }]);
  expect(server.sent).toEqual(["17"]);
});
