import { TabActivity } from "../../../client/activity.js";
// The client loads it on demand, which takes as long as the machine likes.
import "../../../client/life-signs.js";
import { systemClock } from "../../../src/clock.js";
import type { Profile } from "../../../src/index.js";
import { TestChannels } from "../../support/channel.js";
import { TestJournal, TestStore } from "../../support/runtime.js";
import { tasks } from "../../support/world/port.js";
import { type Order, type OrderTool, openTab, orderTool } from "../runtime/tab.js";

/** Tabs that share a store, a journal, and what they tell each other of their calls. */
export function openProfile() {
  const channels = new TestChannels();
  const journal = new TestJournal([], "profile");
  const idempotency = new TestStore([], journal);
  let tabs = 0;
  const profile = (): Profile => {
    tabs += 1;
    const activity = new TabActivity({
      ...{ tab: `tab ${tabs}`, clock: systemClock, events: undefined },
      ...{ locks: undefined, lockName: (tab) => tab },
      channel: () => channels.open(),
      signal: new AbortController().signal,
    });
    return { idempotency, journal, activity };
  };
  return {
    channels,
    profile,
    async tab(parts: Partial<OrderTool> = {}) {
      const key = ({ input }: { input: Order }) => `cancel:${input.orderId}`;
      return openTab(orderTool({ idempotency: { key }, ...parts }), { profile: profile() });
    },
  };
}

/** Lets everything that was posted arrive. */
export const arrive = () => tasks(20);
