import { createSignett, type Profile, type Tool } from "signett";
import {
  createWebMcpTestHarness,
  MemoryIdempotencyStore,
  MemoryOperationJournal,
} from "signett/testing";

/** The application under test: it sends notes. */
export const sendNote = (server: NotesServer): Tool<Note, Session, Receipt> => ({
  name: "send_note",
  description: "Send one short note to the team.",
  inputSchema: {
    type: "object",
    properties: { id: { type: "string" }, text: { type: "string", maxLength: 200 } },
    required: ["id", "text"],
    additionalProperties: false,
  },
  authorize: ({ context }) => ({ allowed: context.mayWrite, reason: "This account only reads." }),
  idempotency: { key: ({ input }) => `note:${input.id}` },
  async execute(note, { operation, signal }) {
    await operation?.write({ id: note.id });
    return await server.send(note, signal);
  },
  async recover({ input, operation }) {
    if (!(await operation?.read())) return { recovered: false };
    const receipt = await server.find(input.id);
    return receipt
      ? { recovered: true, output: receipt }
      : { recovered: false, outcome: "unknown" };
  },
  verify: async ({ input }) => (await server.find(input.id)) !== undefined,
});

interface Note {
  readonly id: string;
  readonly text: string;
}
interface Session {
  readonly mayWrite: boolean;
}
interface Receipt {
  readonly sent: string;
}

/** Its server. Tests replace the methods whose failure they are about. */
export class NotesServer {
  /** @param sent The effects. */
  constructor(readonly sent: string[] = []) {}

  async send({ id }: Note, _signal: AbortSignal): Promise<Receipt> {
    this.sent.push(id);
    return { sent: id };
  }

  async find(id: string): Promise<Receipt | undefined> {
    return this.sent.includes(id) ? { sent: id } : undefined;
  }
}

/** A tab of the application, and an agent that calls its tool. */
export async function openTab(server: NotesServer, profile: Profile, session = { mayWrite: true }) {
  const harness = createWebMcpTestHarness();
  const { modelContext } = harness;
  const signett = createSignett({ modelContext, profile, context: () => session });
  const registration = await signett.expose(sendNote(server));
  const send = (note: Note, options?: { signal: AbortSignal }) =>
    harness.invoke("send_note", note, options);
  return { harness, registration, send };
}

/** What two tabs of one browser profile share. */
export function twoTabs(): [Profile, Profile] {
  const idempotency = new MemoryIdempotencyStore();
  const journal = new MemoryOperationJournal({ scope: "profile" });
  return [
    { idempotency, journal },
    { idempotency: idempotency.anotherTab(), journal: journal.anotherTab() },
  ];
}

export const note = { id: "17", text: "Lunch at noon." };
