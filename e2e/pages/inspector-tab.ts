import { createSignett } from "signett";
import { connectProfile } from "signett/client";
import { mountSignettInspector } from "signett/inspector";

declare global {
  interface Window {
    /** Ends the call of `pay` that runs in this tab. */
    finish(): void;
  }
}

// One of several tabs of an application with a profile.
const signett = createSignett({ profile: connectProfile() });
await signett.expose({
  name: "pay",
  description: "Pay the open invoice once.",
  inputSchema: {
    type: "object",
    properties: { operationId: { type: "string", maxLength: 40, description: "The payment." } },
    required: ["operationId"],
    additionalProperties: false,
  },
  idempotency: { key: ({ input }) => `pay:${input.operationId}` },
  execute: async ({ operationId }, { operation }) => {
    await operation?.write({ operationId });
    await new Promise<void>((resolve) => {
      window.finish = resolve;
    });
    return { receipt: `R-${operationId}` };
  },
  recover: () => ({ recovered: false, outcome: "unknown" }),
});
mountSignettInspector(signett);
document.documentElement.dataset.ready = "true";
