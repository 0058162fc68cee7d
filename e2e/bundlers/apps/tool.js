import { createSignett } from "signett";
import { connectProfile } from "signett/client";

const tool = {
  name: "send_note",
  description: "Send one short note.",
  inputSchema: {
    type: "object",
    properties: { operationId: { type: "string" } },
    required: ["operationId"],
  },
  idempotency: { key: ({ input }) => input.operationId },
  async execute({ operationId }, { operation }) {
    await operation?.write({ operationId });
    // The test counts it, and lets it go on.
    return { sent: await window.effect(operationId) };
  },
};

/** An interface to a host that keeps the one tool, so that the test can call it as an agent does. */
export function prepared(profileOptions, options) {
  const modelContext = {
    async registerTool({ execute }) {
      window.call = (operationId) => execute({ operationId });
    },
  };
  const signett = createSignett({
    ...options,
    profile: connectProfile(profileOptions),
    modelContext,
    observe: ({ stage }) => window.reached?.(stage),
  });
  return { signett, tool };
}

export function start(profileOptions, options) {
  const { signett, tool } = prepared(profileOptions, options);
  return signett.expose(tool);
}
