import { expect, test } from "vitest";
import { NotesServer, note, openTab, twoTabs } from "./notes.js";

test("a tool that is taken back is not found any more, and what runs ends well", async () => {
  const server = new NotesServer();
  const [profile] = twoTabs();
  const { harness, registration, send } = await openTab(server, profile);
  const running = send(note);
  registration.dispose();
  expect(harness.tools()).toEqual([]);
  await expect(send(note)).rejects.toMatchObject({ name: "NotFoundError" });
  expect(await running).toEqual({ sent: "17" });
});
