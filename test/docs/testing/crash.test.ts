import { createTestProfile } from "signett/testing";
import { expect, test } from "vitest";
import { NotesServer, note, sendNote } from "./notes.js";

test("four tabs send one note at once, the owner crashes, and it is sent once", async () => {
  const profile = createTestProfile({ tabs: 4 });
  const tabs = [0, 1, 2, 3].map((index) => profile.tab(index));
  const sent: string[] = [];
  for (const tab of tabs) {
    const server = new NotesServer(sent);
    // The note is sent, and the answer never comes to this tab.
    server.send = async ({ id }) => {
      sent.push(id);
      tab.crash();
      return { sent: id };
    };
    await tab.signett({ context: () => ({ mayWrite: true }) }).expose(sendNote(server));
  }
  const answers = await Promise.allSettled(tabs.map((tab) => tab.invoke("send_note", note)));

  const heard = answers.flatMap((answer) => ("value" in answer ? [answer.value] : []));
  expect(heard).toEqual(Array(3).fill({ sent: "17" }));
  expect(sent).toEqual(["17"]);
});
