import { profile } from "virtual:sample/encrypted-profile";
import { guard } from "signett";

declare global {
  interface Window {
    /** An idempotent call with this key, whose output has this text. */
    readonly note: (key: string, text: string) => Promise<unknown>;
    readonly encrypted: typeof profile;
  }
}

const send = guard(
  async ({ key, text }, { operation }) => {
    await operation?.write({ text });
    if (text === "stays") await new Promise(() => {});
    return { key, text };
  },
  {
    name: "send_note",
    inputSchema: {
      type: "object",
      properties: { key: { type: "string" }, text: { type: "string" } },
      required: ["key", "text"],
    },
    profile,
    idempotency: { key: ({ input }) => input.key },
    recover: async ({ operation }) => {
      const entry = await operation?.read<{ text: string }>();
      return entry
        ? { recovered: true, output: { key: "recovered", text: entry.text } }
        : { recovered: false };
    },
  },
);

Object.assign(window, {
  note: (key: string, text: string) => send({ key, text }),
  encrypted: profile,
});
document.documentElement.dataset.ready = "true";
