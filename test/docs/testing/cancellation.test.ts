import { expect, test } from "vitest";
import { NotesServer, note, openTab, twoTabs } from "./notes.js";

test("who leaves while the note is sent is let go; the next caller learns how it ended", async () => {
  const server = new NotesServer();
  const [profile, another] = twoTabs();
  const [tab, other] = [await openTab(server, profile), await openTab(server, another)];
  const stop = new AbortController();
  server.send = async ({ id }, signal) => {
    server.sent.push(id);
    stop.abort("The person has closed the dialog.");
    signal.throwIfAborted();
    return { sent: id };
  };
  await expect(tab.send(note, { signal: stop.signal })).rejects.toBe(
    "The person has closed the dialog.",
  );
  expect(await other.send(note)).toEqual({ sent: "17" });
  expect(server.sent).toEqual(["17"]);
});
