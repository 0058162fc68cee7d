import { createSignett } from "signett";
import { connectProfile } from "signett/client";
import { mountSignettInspector } from "signett/inspector";

declare global {
  interface Window {
    /** Ends the call of `pay` that runs in this tab. */
    finish(): void;
    /** Removes the Inspector. */
    unmount(): void;
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
    operation?.progress({ done: 1, total: 4, label: "Asked the bank" });
    await new Promise<void>((resolve) => {
      window.finish = resolve;
    });
    return { receipt: `R-${operationId}` };
  },
  recover: () => ({ recovered: false, outcome: "unknown" }),
});
let mounted: ReturnType<typeof mountSignettInspector> | undefined = mountSignettInspector(signett);
window.unmount = () => {
  mounted?.dispose();
  mounted = undefined;
};
document.documentElement.dataset.ready = "true";
