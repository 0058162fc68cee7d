import { byId, create, createList, type Row, setText } from "./dom.js";
import { describeCall, type Tab, type TabCall } from "./progress.js";

/** As many colours as the style sheet has for tabs. */
const HUES = 8;

/** The coloured dot that stands for a tab everywhere on the page. */
export function createDot(number: number): HTMLElement {
  const dot = create("span", "dot");
  dot.dataset.hue = String((number - 1) % HUES);
  dot.ariaHidden = "true";
  return dot;
}

export function createTabsView(selfId: string): (tabs: readonly Tab[]) => void {
  return createList<Tab>(
    byId("tabs", HTMLElement),
    ({ id }) => id,
    ({ id, number }) => createTabRow(number, id === selfId),
  );
}

function createTabRow(number: number, self: boolean): Row<Tab> {
  const name = create("h3", "tab-name", createDot(number), `Tab ${number}`);
  if (self) name.append(create("span", "tag", "this tab"));
  const idle = create("p", "muted", "No calls yet");
  const calls = create("ul", "calls");
  const element = create("li", "tab", name, idle, calls);
  element.dataset.testid = `tab-${number}`;
  const list = createList<TabCall>(calls, ({ invocationId }) => invocationId, createCallRow);
  return {
    element,
    show(tab) {
      idle.hidden = tab.calls.length > 0;
      list(tab.calls);
    },
  };
}

function createCallRow({ tool, orderId, operationId }: TabCall): Row<TabCall> {
  const words = create("span", "call-words");
  const subject = [tool, orderId, operationId].filter((part) => part !== undefined).join(" · ");
  const element = create("li", "call", words, create("span", "call-subject", subject));
  return {
    element,
    show(call) {
      const progress = describeCall(call);
      setText(words, progress.words);
      words.dataset.tone = progress.tone;
      element.dataset.stage = call.stage;
    },
  };
}
