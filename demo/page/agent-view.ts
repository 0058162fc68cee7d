import type { Order } from "../server/api.js";
import type { Agent } from "./agent.js";
import type { Answer } from "./answers.js";
import { byId, createList, setText } from "./dom.js";

/** What the panel asks for. */
export interface AgentActions {
  readonly call: (tool: string, input: Record<string, string>) => void;
  readonly callEverywhere: (tool: string, input: Record<string, string>) => void;
  /** Cancels every running call that this tab's person asked for. */
  readonly cancel: () => void;
}

export interface AgentView {
  /** Offers the orders' ids, and fills in the first open one. */
  offer(orders: readonly Order[]): void;
  /** Knows what can be cancelled. */
  show(answers: readonly Answer[]): void;
  /** Begins another operation. */
  renew(): void;
}

/** Short enough to be read aloud, and not guessed twice in one demo. */
export const newOperationId = () => `op-${crypto.randomUUID().slice(0, 8)}`;

export function createAgentView(
  kind: Agent["kind"],
  selfId: string,
  { call, callEverywhere, cancel }: AgentActions,
): AgentView {
  const form = byId("agent-form", HTMLFormElement);
  const tool = byId("agent-tool", HTMLSelectElement);
  const status = byId("agent-status", HTMLSelectElement);
  const orderId = byId("agent-order", HTMLInputElement);
  const operationId = byId("agent-operation", HTMLInputElement);
  const cancelButton = byId("agent-cancel", HTMLButtonElement);
  const offerOrders = createList<Order>(
    byId("agent-orders", HTMLDataListElement),
    ({ id }) => id,
    ({ id, item }) => ({ element: new Option(item, id), show: () => {} }),
  );

  // Nothing is checked here, so that anyone can see what the tool says to bad input.
  const input = (): Record<string, string> => {
    if (tool.value === "cancel_order") {
      return { orderId: orderId.value, operationId: operationId.value };
    }
    return status.value === "" ? {} : { status: status.value };
  };
  const renew = () => {
    operationId.value = newOperationId();
  };
  const showArguments = () => {
    byId("cancel-arguments", HTMLElement).hidden = tool.value !== "cancel_order";
    byId("list-arguments", HTMLElement).hidden = tool.value !== "list_orders";
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    call(tool.value, input());
  });
  byId("agent-everywhere", HTMLButtonElement).addEventListener("click", () =>
    callEverywhere(tool.value, input()),
  );
  cancelButton.addEventListener("click", cancel);
  byId("agent-new-id", HTMLButtonElement).addEventListener("click", renew);
  tool.addEventListener("change", showArguments);
  showArguments();
  renew();

  const mode = byId("agent-mode", HTMLElement);
  mode.dataset.kind = kind;
  setText(mode, kind === "native" ? "Native WebMCP" : "In-page stand-in");
  setText(
    byId("agent-note", HTMLElement),
    kind === "native"
      ? "Calls go through the browser’s document.modelContext, which keeps error messages to itself."
      : "This browser has no WebMCP. Calls go straight to the same registered executors.",
  );

  return {
    renew,
    offer(offered) {
      offerOrders(offered);
      if (orderId.value === "") {
        orderId.value = offered.find((order) => order.status === "open")?.id ?? "";
      }
    },
    show(answers) {
      cancelButton.disabled = !answers.some(
        ({ request, outcome }) => request.from === selfId && outcome.state === "running",
      );
    },
  };
}
