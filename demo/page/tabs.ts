import type { LifecycleEvent } from "signett";
import type { Request } from "./answers.js";
import { type Channel, openChannel } from "./channel.js";
import { hasEnded, startCall, type Tab, type TabCall, withEvent } from "./progress.js";
import { createStore, type Store } from "./store.js";

export interface Tabs {
  readonly all: Store<readonly Tab[]>;
  readonly channel: Channel;
  /** Records a lifecycle event of this tab and tells the others. */
  observe(event: LifecycleEvent, request: Request | undefined): void;
  /** Tells when a call has ended, here or in another tab: orders and effects may have changed. */
  onEnded(listener: () => void): void;
  /** Tells when a tab has left the list. Nobody will say what became of its calls. */
  onLeft(listener: () => void): void;
}

/** How many ended calls a tab shows. */
const RECENT = 3;

/** How often the roll is called while another tab is in the middle of a call. */
const ROLL_CALL_MS = 3_000;

/**
 * Who is there, by hello and bye. A tab that crashed says no bye: it is dropped when it has not answered the
 * roll call before the latest one. A tab that was dropped by mistake is asked again at its next word.
 */
export function createTabs({ id, number }: Pick<Tab, "id" | "number">): Tabs {
  const endedListeners: (() => void)[] = [];
  const leftListeners: (() => void)[] = [];
  let self: Tab = { id, number, calls: [] };
  const all = createStore<readonly Tab[]>([self]);
  let silent = new Set<string>();

  const ended = () => {
    for (const listener of endedListeners) listener();
  };
  const put = (tab: Tab) => {
    silent.delete(tab.id);
    const others = all.get().filter((known) => known.id !== tab.id);
    all.set([...others, tab].sort((a, b) => a.number - b.number));
  };
  const drop = (gone: ReadonlySet<string>) => {
    const known = all.get();
    const left = known.filter((tab) => !gone.has(tab.id));
    if (left.length === known.length) return;
    all.set(left);
    for (const listener of leftListeners) listener();
  };
  const callRoll = () => {
    drop(silent);
    silent = new Set(all.get().flatMap((tab) => (tab.id === id ? [] : [tab.id])));
    channel.post({ type: "hello", tab: self });
  };

  const channel = openChannel({
    name: "signett-demo",
    closing: (post) => post({ type: "bye", tabId: id }),
  });
  channel.onReopened(() => {
    callRoll();
    ended();
  });
  channel.subscribe((message) => {
    if (message.type === "hello") channel.post({ type: "here", tab: self });
    if (message.type === "hello" || message.type === "here") put(message.tab);
    if (message.type === "bye") drop(new Set([message.tabId]));
    if (message.type === "progress") {
      const tab = all.get().find((known) => known.id === message.tabId);
      if (tab) put({ ...tab, calls: withCall(tab.calls, message.call) });
      else channel.post({ type: "hello", tab: self });
      if (hasEnded(message.call)) ended();
    }
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") callRoll();
  });
  // A tab that crashed in the middle of a call is missed without anyone switching tabs.
  setInterval(() => {
    const isBusy = all.get().some((tab) => tab.id !== id && !tab.calls.every(hasEnded));
    if (isBusy && document.visibilityState === "visible") callRoll();
  }, ROLL_CALL_MS);
  callRoll();

  return {
    all,
    channel,
    observe(event, request) {
      const known = self.calls.find(({ invocationId }) => invocationId === event.invocationId);
      if (known === undefined && event.stage !== "started") return;
      const call = withEvent(known ?? startCall(event, request), event);
      self = { ...self, calls: withCall(self.calls, call) };
      put(self);
      channel.post({ type: "progress", tabId: id, call });
      if (hasEnded(call)) ended();
    },
    onEnded: (listener) => void endedListeners.push(listener),
    onLeft: (listener) => void leftListeners.push(listener),
  };
}

/** Keeps what still runs, however many calls came later. */
function withCall(calls: readonly TabCall[], call: TabCall): readonly TabCall[] {
  const isSame = ({ invocationId }: TabCall) => invocationId === call.invocationId;
  const all = calls.some(isSame)
    ? calls.map((earlier) => (isSame(earlier) ? call : earlier))
    : [call, ...calls];
  return all.filter((candidate, position) => position < RECENT || !hasEnded(candidate));
}
