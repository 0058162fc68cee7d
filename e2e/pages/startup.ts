import { guard } from "signett";
import { connectProfile } from "signett/client";
import { api } from "../../demo/page/api.js";
import { cancelOrderTool } from "../../demo/page/tools.js";

/** How a call that the page made while it was loaded has ended. */
export type StartupAnswer =
  | { readonly output: unknown }
  | { readonly code: string | undefined; readonly message: string };

declare global {
  interface Window {
    /** For each order that the address names, in its order. */
    readonly answers: Promise<readonly StartupAnswer[]>;
  }
}

const { execute, ...tool } = cancelOrderTool({ api, confirm: async () => true });
const cancel = guard(execute, {
  ...tool,
  profile: connectProfile(),
  context: () => ({ accountId: "acct-demo", scopes: ["orders:cancel"] }),
});

const orders = new URLSearchParams(location.search).getAll("order");
const answers = Promise.all(
  orders.map((orderId) =>
    cancel({ orderId, operationId: "op-1" }).then(
      (output) => ({ output }),
      ({ code, message }: { code?: string; message: string }) => ({ code, message }),
    ),
  ),
);
Object.assign(window, { answers });
document.documentElement.dataset.ready = "true";
