import { expect, test } from "vitest";
import { NotesServer, note, openTab, twoTabs } from "./notes.js";

test("an answer that the server does not confirm is no success, and is never replayed", async () => {
  const server = new NotesServer();
  const [profile] = twoTabs();
  const tab = await openTab(server, profile);
  server.send = async ({ id }) => ({ sent: id });
  await expect(tab.send(note)).rejects.toMatchObject({ code: "verification_failed" });
  await expect(tab.send(note)).rejects.toMatchObject({ code: "outcome_unknown" });
});
