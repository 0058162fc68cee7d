import type { OperationJournal } from "../../../src/index.js";
import type { CallOptions, TestTab } from "../../support/world/tab.js";
import { patiently } from "../../support/world/time.js";
import { gate } from "../runtime/tab.js";

/** A call that has come to a point of its life. */
interface Reached {
  readonly call: Promise<unknown>;
  /** Lets it go on. */
  readonly resume: () => void;
}

/** A call that owns the key: its handler is entered, and held. */
export async function enter(tab: TestTab, key: string, options: CallOptions): Promise<Reached> {
  const [entered, resumed] = [gate(), gate()];
  const call = tab.call(key, {
    ...options,
    async execute(invocation) {
      entered.open();
      await resumed.opened;
      return options.execute(invocation);
    },
  });
  return reached(call, entered.opened, resumed.open);
}

/** A call that has reserved the key: it asks the person, who approves when it is let go on. */
export async function ask(tab: TestTab, key: string, options: CallOptions): Promise<Reached> {
  const [asked, answered] = [gate(), gate()];
  const request = async () => {
    asked.open();
    await answered.opened;
    return true;
  };
  const call = tab.call(key, { ...options, confirm: { mode: "effect-only", request } });
  return reached(call, asked.opened, answered.open);
}

/** A call that waits for the key's owner. */
export async function wait(tab: TestTab, key: string, options: CallOptions): Promise<Reached> {
  const told = gate();
  const call = tab.call(key, {
    ...options,
    observe: ({ stage }) => stage === "waiting" && told.open(),
  });
  return patiently(reached(call, told.opened, () => {}));
}

async function reached(
  call: Promise<unknown>,
  point: Promise<void>,
  resume: () => void,
): Promise<Reached> {
  // Its failure is for the test, which may look later.
  call.catch(() => {});
  await Promise.race([point, call]);
  return { call, resume };
}

/** An application's own journal, which all tabs read. */
export function sharedJournal(): OperationJournal {
  const entries = new Map<string, unknown>();
  return {
    scope: "profile",
    read: (key) => entries.get(key),
    write: (key, entry) => void entries.set(key, entry),
    remove: (key) => void entries.delete(key),
  };
}
