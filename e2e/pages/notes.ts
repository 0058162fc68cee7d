import { createSignett, ToolError } from "signett";
import { connectProfile } from "signett/client";

/** A small application: it sends notes to a server, which the tests play. */
const signett = createSignett({ profile: connectProfile() });

const send = (id: string, text: string, signal: AbortSignal) =>
  fetch(`/api/notes/${id}`, { method: "PUT", body: text, signal });

const find = (id: string, signal: AbortSignal) => fetch(`/api/notes/${id}`, { signal });

const exposeNote = () =>
  signett.expose({
    name: "send_note",
    description: "Send one short note to the team.",
    inputSchema: {
      type: "object",
      properties: {
        id: { type: "string", maxLength: 64, description: "The note's id; repeat it on a retry." },
        text: { type: "string", maxLength: 200, description: "What the note says." },
      },
      required: ["id", "text"],
      additionalProperties: false,
    },
    idempotency: { key: ({ input }) => `note:${input.id}` },
    async execute({ id, text }, { operation, signal }) {
      await operation?.write({ id });
      const answer = await send(id, text, signal);
      if (answer.ok) return await answer.json();
      await operation?.remove();
      throw new ToolError({ code: "note_refused", message: await answer.text(), retry: "never" });
    },
    async recover({ input, operation, signal }) {
      if (!(await operation?.read())) return { recovered: false };
      const answer = await find(input.id, signal);
      return answer.ok
        ? { recovered: true, output: await answer.json() }
        : { recovered: false, outcome: "unknown" };
    },
  });

declare global {
  interface Window {
    /** Exposes the tool in a tab that was opened with `?late`. */
    exposeNote(): Promise<unknown>;
  }
}

window.exposeNote = exposeNote;
if (!location.search.includes("late")) await exposeNote();
document.documentElement.dataset.ready = "true";
