import { test as kit } from "signett/testing/playwright";
import { NotesServer } from "./notes-server.js";

/** Tests of the notes application, whose server is the fixture `notes`. */
export const test = kit.extend<{ notes: NotesServer }>({
  notes: async ({ context }, use) => use(await NotesServer.in(context)),
});

/** An input of `send_note`, and what it gives. */
export const note = { id: "n-1", text: "hello" };
export const sent = { sent: "n-1" };
