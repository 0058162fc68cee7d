import { expect, test } from "vitest";
import { NotesServer, note, openTab, twoTabs } from "./notes.js";

test("an account that only reads sends nothing, and gets no stored answer", async () => {
  const server = new NotesServer();
  const [profile] = twoTabs();
  const reader = await openTab(server, profile, { mayWrite: false });
  const denied = { code: "authorization_denied", message: expect.stringContaining("only reads") };
  await expect(reader.send(note)).rejects.toMatchObject(denied);
  expect(server.sent).toEqual([]);

  const writer = await openTab(server, profile);
  await writer.send(note);
  await expect(reader.send(note)).rejects.toMatchObject(denied);
});
