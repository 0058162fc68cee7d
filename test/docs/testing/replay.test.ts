import { expect, test } from "vitest";
import { NotesServer, note, openTab, twoTabs } from "./notes.js";

test("a note that is sent again later is not sent, and the answer is the first one", async () => {
  const server = new NotesServer();
  const [profile, another] = twoTabs();
  const first = await (await openTab(server, profile)).send(note);
  server.send = () => Promise.reject(new Error("must not be called"));
  expect(await (await openTab(server, another)).send(note)).toEqual(first);
});
