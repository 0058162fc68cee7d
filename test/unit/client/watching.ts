import { TabActivity } from "../../../client/activity.js";
// The client loads it on demand, which takes as long as the machine likes.
import "../../../client/life-signs.js";
import type { ActivityReport } from "../../../src/contracts.js";
import type { Stage } from "../../../src/events.js";
import { createTestLockManager } from "../../../src/testing/index.js";
import { TestChannels } from "../../support/channel.js";
import { tasks } from "../../support/world/port.js";

/** The tabs of one profile. Time passes when a test says so. */
export function openProfile() {
  const channels = new TestChannels();
  const lockManager = createTestLockManager();
  let now = 0;
  let timers: { readonly at: number; readonly task: () => void }[] = [];
  const clock = {
    now: () => now,
    after(ms: number, task: () => void) {
      const timer = { at: now + ms, task };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  return {
    channels,
    /** The locks that are held and wanted, by name. */
    async locks() {
      const { held = [], pending = [] } = await lockManager.query();
      const names = (locks: LockInfo[]) => locks.map(({ name }) => name);
      return { held: names(held), pending: names(pending) };
    },
    pass(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { task } of due) task();
    },
    tab(tab: string) {
      const events = new EventTarget();
      const closing = new AbortController();
      let opened = 0;
      const channel = () => {
        opened += 1;
        return channels.open();
      };
      const locks = lockManager.client(tab);
      const activity = new TabActivity({
        ...{ tab, clock, channel, events, signal: closing.signal },
        ...{ locks, lockName: (id) => `photos:tab:${id}` },
      });
      const seen: ActivityReport[] = [];
      const watch = () => activity.subscribe((report) => seen.push(report));
      const happen = (type: string, persisted: boolean) =>
        void events.dispatchEvent(Object.assign(new Event(type), { persisted }));
      return {
        ...{ activity, seen, watch, happen },
        opened: () => opened,
        close: () => closing.abort(),
        crash: () => locks.crash(),
        stages: () => seen.map(({ event }) => event.stage),
        say: (invocationId: string, stage: Stage, more: Partial<ActivityReport> = {}) => {
          const event = {
            invocationId,
            name: "cancel_order",
            stage,
            timestamp: now,
            durationMs: 0,
          };
          activity.publish({ tab, event, ...more });
        },
      };
    },
  };
}

/** Lets everything that was posted arrive. */
export const arrive = () => tasks(20);
