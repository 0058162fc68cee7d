import type { LifecycleEvent } from "signett";
import type { Request } from "./answers.js";
import { type Channel, openChannel } from "./channel.js";
import { hasEnded, startCall, type TabCall, withEvent } from "./progress.js";
import { createStore, type Store } from "./store.js";

/** One open tab, and its recent calls, newest first. */
export interface Tab {
  readonly id: string;
  readonly number: number;
  readonly calls: readonly TabCall[];
}

export interface Tabs {
  readonly all: Store<readonly Tab[]>;
  readonly channel: Channel;
  /** Records a lifecycle event of this tab and tells the others. */
  observe(event: LifecycleEvent, request: Request | undefined): void;
  /** Tells when a call has ended, here or in another tab: orders and effects may have changed. */
  onEnded(listener: () => void): void;
}

/** How many ended calls a tab shows. */
const RECENT = 3;

/**
 * Who is there, by hello and bye. A tab that crashed says no bye: it is dropped when it has not answered the
 * roll call before the latest one. A tab that was dropped by mistake is asked again at its next word.
 */
export function createTabs({ id, number }: Pick<Tab, "id" | "number">): Tabs {
  const listeners: (() => void)[] = [];
  let self: Tab = { id, number, calls: [] };
  const all = createStore<readonly Tab[]>([self]);
  let silent = new Set<string>();

  const ended = () => {
    for (const listener of listeners) listener();
  };
  const put = (tab: Tab) => {
    silent.delete(tab.id);
    const others = all.get().filter((known) => known.id !== tab.id);
    all.set([...others, tab].sort((a, b) => a.number - b.number));
  };
  const callRoll = () => {
    all.set(all.get().filter((tab) => !silent.has(tab.id)));
    silent = new Set(all.get().flatMap((tab) => (tab.id === id ? [] : [tab.id])));
    channel.post({ type: "hello", tab: self });
  };

  const channel = openChannel({
    name: "signett-demo",
    closing: (post) => post({ type: "bye", tabId: id }),
    reopened() {
      callRoll();
      ended();
    },
  });
  channel.subscribe((message) => {
    if (message.type === "hello") channel.post({ type: "here", tab: self });
    if (message.type === "hello" || message.type === "here") put(message.tab);
    if (message.type === "bye") all.set(all.get().filter((tab) => tab.id !== message.tabId));
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
    onEnded: (listener) => void listeners.push(listener),
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
