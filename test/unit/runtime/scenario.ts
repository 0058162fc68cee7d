import fc from "fast-check";
import { systemClock } from "../../../src/clock.js";
import { define } from "../../../src/definition.js";
import type { Begun, IdempotencyStore, Recovery } from "../../../src/index.js";
import { invoke } from "../../../src/invocation.js";
import { Observers } from "../../../src/observers.js";
import { TestJournal, TestStore } from "../../support/runtime.js";
import { cancelled, KEY, type OrderTool, order, orderTool } from "./tab.js";

const answers = {
  found: { recovered: true, output: "found" },
  "found no data": { recovered: true, output: () => {} },
  "not applied": { recovered: false, outcome: "not_applied" },
  unknown: { recovered: false, outcome: "unknown" },
  nothing: { recovered: false },
} as const satisfies Record<string, Recovery<unknown>>;

const storeMethods = ["begin", "start", "complete", "release", "abandon"] as const;
const journalMethods = ["read", "write", "remove"] as const;
const storage = [
  ...storeMethods,
  ...journalMethods.map((method) => `journal.${method}` as const),
] as const;
const hooks = ["key", "confirm", "execute", "recover", "verify"] as const;
type Step = (typeof storage)[number] | (typeof hooks)[number];

/** What one call meets: the key's past, the hooks' answers, faults of storage, and when the caller leaves. */
export const scenarios = fc.record({
  past: fc.constantFrom("absent", "completed", "in doubt", "in doubt, executed"),
  /** What the store reports of the earlier owner's journal. */
  journalKey: fc.constantFrom(undefined, null, `\n${KEY}`, "\nanother"),
  earlierEntry: fc.boolean(),
  journal: fc.constantFrom("joined", "profile", "tab"),
  confirm: fc.constantFrom("unasked", "yes", "no", "throws"),
  write: fc.constantFrom("none", "awaited", "left running"),
  execute: fc.constantFrom("returns", "throws", "returns no data"),
  /** What happens elsewhere while the handler runs. */
  meanwhile: fc.constantFrom("nothing", "lost", "completed elsewhere"),
  recover: fc.constantFrom("absent", "throws", ...typedKeys(answers)),
  verify: fc.constantFrom("absent", "yes", "no", "throws"),
  leave: fc.option(fc.constantFrom<Step>(...storage, ...hooks), { nil: undefined }),
  faults: fc.uniqueArray(fc.constantFrom(...storage), { maxLength: 3 }),
});
export type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

/** One attempt to end the claim. */
interface Settlement {
  readonly method: "complete" | "release" | "abandon";
  readonly done: boolean;
}

/** Runs one call in the scenario and tells what store, journal and hooks have seen of it. */
export async function run(scenario: Scenario) {
  const caller = new AbortController();
  const reach = (step: Step) => {
    if (scenario.leave === step) caller.abort(new Error(`The caller left in ${step}.`));
    if (scenario.faults.some((fault) => fault === step)) throw new Error(`${step} fails.`);
  };
  const { store, journal } = storageOf(scenario, reach);
  const recording = record(store);
  const profile = { idempotency: recording.store, journal };
  const seen = { entered: 0 };
  const tool: OrderTool = {
    ...orderTool(hooksOf(scenario, reach)),
    idempotency: {
      store: recording.store,
      key() {
        reach("key");
        return KEY;
      },
    },
    journal: { store: journal },
    async execute(_, { operation }) {
      seen.entered += 1;
      reach("execute");
      const writing = scenario.write !== "none" && operation?.write("cancelling");
      if (scenario.write === "awaited") await writing;
      else if (writing) writing.catch(() => {});
      if (scenario.meanwhile === "lost") store.lost.abort(new Error("The lock ended."));
      if (scenario.meanwhile === "completed elsewhere") {
        store.records.set(KEY, { state: "completed", value: "theirs" });
      }
      if (scenario.execute === "throws") throw new Error("The answer was lost.");
      return scenario.execute === "returns" ? cancelled : Symbol("no data");
    },
  };
  const definition = {
    ...define(tool, { profile: scenario.journal === "joined" ? profile : undefined }),
    check: async () => () => [],
  };
  const surface = { context: undefined, observers: new Observers(), clock: systemClock };
  const ended = await invoke(definition, surface, order, caller.signal).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return { ...seen, ...recording.seen, ended, record: store.records.get(KEY) };
}

function storageOf(scenario: Scenario, reach: (step: Step) => void) {
  const trace: string[] = [];
  const journal = new TestJournal(trace, scenario.journal === "tab" ? "tab" : "profile");
  const store = new TestStore(trace, scenario.journal === "joined" ? journal : undefined);
  for (const method of storeMethods) store.before[method] = () => reach(method);
  for (const method of journalMethods) journal.before[method] = () => reach(`journal.${method}`);
  if (scenario.earlierEntry) journal.entries.set(KEY, "from an earlier life");
  if (scenario.past === "completed") {
    store.records.set(KEY, { state: "completed", value: "stored" });
  } else if (scenario.past !== "absent") {
    const { journalKey } = scenario;
    const executed = scenario.past === "in doubt, executed";
    store.records.set(KEY, {
      ...{ state: "in_doubt", executed },
      ...(journalKey !== undefined && { journalKey }),
    });
  }
  return { store, journal };
}

/** The store, with a record of what it granted and of how the claim was settled. */
function record(store: TestStore) {
  const seen: { begun?: Begun["state"]; settlements: Settlement[] } = { settlements: [] };
  const settling = async (method: Settlement["method"], settlement: Promise<void>) => {
    const done = await settlement.then(
      () => true,
      () => false,
    );
    seen.settlements.push({ method, done });
    return settlement;
  };
  const recording: IdempotencyStore = {
    async begin(key, options) {
      const begun = await store.begin(key, options);
      seen.begun = begun.state;
      return begun;
    },
    start: (key, options) => store.start(key, options),
    complete: (key, value, options) => settling("complete", store.complete(key, value, options)),
    release: (key, options) => settling("release", store.release(key, options)),
    abandon: (key, options) => settling("abandon", store.abandon(key, options)),
  };
  return { store: recording, seen };
}

function hooksOf(scenario: Scenario, reach: (step: Step) => void): Partial<OrderTool> {
  const asked = (step: "confirm" | "verify", answer: string) => () => {
    reach(step);
    if (answer === "throws") throw new Error(`${step} throws.`);
    return answer === "yes";
  };
  const { confirm, verify, recover } = scenario;
  return {
    ...(confirm !== "unasked" && {
      confirm: { mode: "effect-only" as const, request: asked("confirm", confirm) },
    }),
    ...(verify !== "absent" && { verify: asked("verify", verify) }),
    ...(recover !== "absent" && {
      recover: () => {
        reach("recover");
        if (recover === "throws") throw new Error("Recovery throws.");
        return answers[recover];
      },
    }),
  };
}

function typedKeys<Key extends string>(object: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(object) as Key[];
}
