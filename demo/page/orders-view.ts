import type { Order } from "../server/api.js";
import { byId, create, createList, type Row, setText } from "./dom.js";
import { count, formatAmount } from "./format.js";
import type { ServerState } from "./server-state.js";

const statusWords: Record<Order["status"], string> = {
  open: "Open",
  cancelled: "Cancelled",
  shipped: "Shipped",
};

/** The orders, each with its button while it is open. */
export function createOrdersView(
  cancel: (orderId: string) => void,
): (state: ServerState, beingCancelled: ReadonlySet<string>) => void {
  const summary = byId("orders-summary", HTMLElement);
  const empty = byId("orders-empty", HTMLElement);
  let cancelling: ReadonlySet<string> = new Set();
  const list = createList<Order>(
    byId("orders", HTMLElement),
    ({ id }) => id,
    ({ id }) => createRow(id, cancel, () => cancelling.has(id)),
  );
  return ({ orders, unreachable }, beingCancelled) => {
    cancelling = beingCancelled;
    list(orders ?? []);
    setText(summary, orders ? summarise(orders) : "");
    const loading = unreachable ? "The orders could not be loaded." : "Loading the orders…";
    setText(empty, orders ? "There are no orders. Reset the demo to get some." : loading);
    empty.hidden = orders !== undefined && orders.length > 0;
  };
}

function summarise(orders: readonly Order[]): string {
  const open = orders.filter(({ status }) => status === "open").length;
  return `${open.toLocaleString("en")} of ${count(orders.length, "order")} open`;
}

function createRow(
  id: string,
  cancel: (orderId: string) => void,
  isCancelling: () => boolean,
): Row<Order> {
  const item = create("span", "order-item");
  const amount = create("td", "order-amount");
  const badge = create("span", "badge");
  const button = create("button", "button button-small");
  button.type = "button";
  button.addEventListener("click", () => {
    if (button.ariaDisabled !== "true") cancel(id);
  });
  const name = create("th", "order-name", item, create("span", "order-id", id));
  name.scope = "row";
  const action = create("td", "", create("div", "order-status", badge, button));
  const element = create("tr", "order", name, amount, action);
  element.dataset.testid = `order-${id}`;
  element.tabIndex = -1;
  return {
    element,
    show({ item: name, amountCents, status }) {
      const busy = isCancelling();
      setText(item, name);
      setText(amount, formatAmount(amountCents));
      setText(badge, statusWords[status]);
      badge.dataset.status = status;
      // A button that vanishes takes the focus with it: the row keeps the place of someone who uses the keyboard.
      if (status !== "open" && document.activeElement === button) element.focus();
      button.hidden = status !== "open";
      button.ariaDisabled = String(busy);
      setText(button, busy ? "Cancelling…" : "Cancel");
      button.ariaLabel = busy ? `Cancelling ${id}, ${name}` : `Cancel ${id}, ${name}`;
    },
  };
}
