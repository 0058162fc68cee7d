import { expect, test } from "vitest";
import { NotesServer, note, openTab, twoTabs } from "./notes.js";

test("when nobody can tell whether a note was sent, it is not sent again until somebody can", async () => {
  const server = new NotesServer();
  const [profile, another] = twoTabs();
  const [tab, other] = [await openTab(server, profile), await openTab(server, another)];
  const { find } = server;
  server.send = async ({ id }) => {
    server.sent.push(id);
    throw new TypeError("Failed to fetch");
  };
  server.find = () => Promise.reject(new Error("The receipts can't be read."));
  for (const caller of [tab, other, tab]) {
    await expect(caller.send(note)).rejects.toMatchObject({ code: "outcome_unknown" });
  }

  server.find = find;
  expect(await other.send(note)).toEqual({ sent: "17" });
  expect(server.sent).toEqual(["17"]);
});
