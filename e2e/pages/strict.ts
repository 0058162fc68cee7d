import { createSignett, type Tool } from "signett";
import { connectProfile } from "signett/client";
import { interpretedValidator } from "signett/validation";
import inputSchema from "./add-note.schema.json";
import validate from "./add-note.schema.json?validator";

interface Note {
  readonly text: string;
  readonly operationId: string;
}

const profile = connectProfile();
const signett = createSignett({ profile, validator: interpretedValidator });

/** A tool whose effects the page counts. Without a `validate` of its own it is interpreted. */
const addNote = (name: string): Tool<Note, undefined, unknown> => ({
  name,
  description: "Add one note to the page.",
  inputSchema,
  idempotency: { key: ({ input }) => `${name}:${input.operationId}` },
  execute: async ({ text }, { operation }) => {
    await operation?.write({ text });
    document.body.append(document.createElement("p"));
    return { text, mode: profile.mode };
  },
});

await signett.expose({ ...addNote("add_note_precompiled"), validate });
await signett.expose(addNote("add_note_interpreted"));
document.documentElement.dataset.ready = "true";
