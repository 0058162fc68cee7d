import { vi } from "vitest";
import { OperationPurgedError, OutcomeUnknownError } from "../../../src/index.js";
import type { Invocation } from "../../support/world/authority.js";
import { tasks } from "../../support/world/port.js";
import type { CallOptions, TestTab } from "../../support/world/tab.js";
import { inTime, pass, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { never } from "../runtime/tab.js";
import { Reviews } from "./reviews.js";
import type { CallStep, Scenario, Step } from "./scenario.js";

/** How a call ended; one whose tab crashed has no end. */
export type End = { readonly value: unknown } | { readonly error: unknown };

interface Made {
  readonly key: CallStep["key"];
  /** The answers that were gone when it began. */
  readonly gone: ReadonlySet<unknown>;
  readonly tab: TestTab;
  readonly caller: AbortController;
  end: End | undefined;
}

/** What came of a scenario. */
export interface Outcome {
  readonly world: World;
  /** The calls of the tabs that lived, by key. */
  readonly ends: readonly (Pick<Made, "key" | "gone"> & { readonly end: End })[];
  /** The answers that were gone in the end. */
  readonly gone: ReadonlySet<unknown>;
  /** What two new tabs get in the end, one after the other. */
  readonly answers: Readonly<Record<CallStep["key"], readonly unknown[]>>;
  /** The purges and reviews, and what may have come of them. */
  readonly reviews: Reviews;
}

/** Lives a scenario to its end: faults stop, and every call of a tab that lives must end and leave no lock. */
export async function live({ tabs, local, delays, steps }: Scenario): Promise<Outcome> {
  let messages = 0;
  const world = new World(() => delays[messages++ % delays.length] ?? 1);
  const all = Array.from({ length: tabs }, (_, index) =>
    index < local ? world.localTab() : world.tab(),
  );
  const reviews = new Reviews(world);
  const made: Made[] = [];
  for (const step of steps) {
    await tasks(step.after);
    await happen({ world, tabs: all, made, reviews }, step);
  }

  world.storage.refuses = () => false;
  for (const { page } of all) if (page.cached) page.leaveCache();
  const living = all.filter(({ page }) => !page.crashed);
  const calls = made.filter(({ tab }) => living.includes(tab));
  await until(() => calls.every(({ end }) => end !== undefined));
  await until(() => reviews.all.every(({ tab, done }) => done || !living.includes(tab)));
  // What could not be stored is tried again with pauses; then no tab without open work holds or awaits a lock.
  await until(async () => {
    const awaited = await Promise.all(living.map((tab) => world.pendingLocks(tab)));
    return [...awaited.flat(), ...(await world.signsOfLife())].length === 0;
  });
  const { gone } = reviews;
  const last = async (key: CallStep["key"]) => [
    await lastCall(world, key),
    await lastCall(world, key),
  ];
  const answers = { a: await last("a"), b: await last("b") };
  const ends = calls.flatMap(({ key, gone, end }) => (end ? [{ key, gone, end }] : []));
  return { world, ends, gone, answers, reviews };
}

/** A new tab's. Where it is told to come again, it does: later if recovery has failed too often. */
async function lastCall(world: World, key: CallStep["key"]): Promise<unknown> {
  try {
    return await inTime(world.tab().call(key, world.authority));
  } catch (error) {
    if (error instanceof OperationPurgedError) await pass(1_000);
    else if (error instanceof OutcomeUnknownError && error.nextRecoveryAt !== undefined)
      vi.setSystemTime(error.nextRecoveryAt);
    else throw error;
    return await inTime(world.tab().call(key, world.authority));
  }
}

/** What a life has in it. */
interface Life {
  readonly world: World;
  readonly tabs: readonly TestTab[];
  readonly made: Made[];
  readonly reviews: Reviews;
}

async function happen(life: Life, step: Step): Promise<void> {
  const { world, tabs, made, reviews } = life;
  switch (step.do) {
    case "call":
      return begin(life, step);
    case "purge":
    case "review": {
      const tab = tabs[step.tab];
      if (!tab || tab.page.crashed) return;
      return step.do === "purge"
        ? reviews.purge(tab, step.key, step)
        : reviews.review(tab, step.key);
    }
    case "answers expire":
      return reviews.expire();
    case "leave":
      return made[step.call]?.caller.abort(new Error("The caller left."));
    case "crash":
      return tabs[step.tab]?.page.crash();
    case "cache":
      tabs[step.tab]?.page.standStill();
      return take(world, tabs[step.tab]);
    case "freeze":
      return tabs[step.tab]?.page.enterCache();
    case "return":
      return tabs[step.tab]?.page.leaveCache();
    case "steal":
      return take(world, tabs[step.tab]);
    case "kill worker":
      return world.killWorker();
    case "rerun worker":
      return world.rerunWorker();
    case "wedge worker":
      return world.wedgeWorker();
    case "wake worker":
      return world.wakeWorker();
    case "time passes":
      return pass(3_000);
    case "disk is full": {
      let left = step.writes;
      world.storage.refuses = (writes) => writes.length > 0 && left-- > 0;
      return;
    }
    default:
      return step satisfies never;
  }
}

const take = (world: World, tab: TestTab | undefined) => (tab ? world.takeLocks(tab) : undefined);

function begin({ world, tabs, made, reviews }: Life, step: CallStep): void {
  const tab = tabs[step.tab];
  if (!tab || tab.page.crashed) return;
  const caller = new AbortController();
  const call: Made = { key: step.key, gone: reviews.gone, tab, caller, end: undefined };
  made.push(call);
  tab.call(step.key, { ...toolOf(world, tab, step), signal: caller.signal }).then(
    (value) => {
      call.end = { value };
    },
    (error: unknown) => {
      call.end = { error };
    },
  );
}

function toolOf({ authority }: World, tab: TestTab, step: CallStep): CallOptions {
  /** A hook takes its time, and ends with its tab. */
  const atPace = async () => {
    await tasks(step.pace);
    if (tab.page.crashed) await never();
  };
  const asked =
    <T>(answer: T) =>
    async () => {
      await atPace();
      return answer;
    };
  async function execute({ operation }: Invocation) {
    await atPace();
    if (step.handler === "throws before its effect") throw new Error("before");
    if (!operation) throw new TypeError("The tool has no key.");
    const { key, fence = 0 } = operation;
    await operation.write({ fence });
    await atPace();
    const receipt = authority.apply(key, fence);
    await atPace();
    if (step.handler === "throws after its effect") throw new Error("after");
    return receipt;
  }
  async function recover({ operation }: Pick<Invocation, "operation">) {
    await atPace();
    return authority.recover({ operation });
  }
  return {
    execute,
    ...(step.recover && { recover }),
    ...(step.verify !== "unasked" && { verify: asked(step.verify === "yes") }),
    ...(step.confirm !== "unasked" && {
      confirm: { mode: "effect-only", request: asked(step.confirm === "yes") },
    }),
    waitTimeoutMs: step.patient ? 120_000 : 1_000,
  };
}
