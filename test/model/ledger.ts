import { ClaimLostError, IdempotencyConflictError } from "../../src/index.js";
import {
  type Found,
  OUTPUTS,
  type Overtaking,
  type Place,
  type Scenario,
  type StorageMethod,
} from "./scenario.js";

/** The durable record of the key, as far as the contract tells records apart. */
export type KeyRecord =
  | { readonly state: "absent" }
  | { readonly state: "claimed"; readonly fence: number; readonly executed: boolean }
  | { readonly state: "in doubt"; readonly executed: boolean }
  | { readonly state: "completed"; readonly output: unknown }
  | { readonly state: "another owner's" }
  | { readonly state: "another tool's" };

/** What a claim got. */
export interface Grant {
  readonly state: "fresh" | "in doubt";
  readonly fence: number;
  /** What the record says of the earlier owner. */
  readonly executed: boolean;
}

/**
 * The storage of one scenario, its faults, and a trace of all that happened, without any waiting: the model calls it
 * directly, and the real call through the promises of `world.ts`, so that the two traces can be compared.
 */
export class Ledger {
  readonly trace: string[] = [];
  readonly stages: string[] = [];
  readonly reached = new Set<Place>();
  record: KeyRecord;
  entry: boolean;
  readonly caller = new AbortController();
  /** Aborted when the store tells that the claim is lost. */
  readonly lost = new AbortController();
  /** Aborted when the call has no reason to go on: its caller has left, or its claim is known to be lost. */
  readonly end = AbortSignal.any([this.caller.signal, this.lost.signal]);
  readonly #errors = new Map<string, Error>();
  #fence = 6;

  constructor(readonly scenario: Scenario) {
    this.entry = scenario.idempotent?.entryLeft ?? false;
    this.record = scenario.idempotent ? recordOf(scenario.idempotent.found) : { state: "absent" };
    if (scenario.leaves === "before") this.leave();
  }

  get #idempotent() {
    if (!this.scenario.idempotent) throw new Error("This tool has no storage.");
    return this.scenario.idempotent;
  }

  leave(): void {
    this.caller.abort(this.error("the caller"));
  }

  /** Where an error comes from, told by its identity. */
  sourceOf(error: unknown): string | undefined {
    for (const [source, own] of this.#errors) if (own === error) return `the error of ${source}`;
    return undefined;
  }

  /** The one error that comes from there. */
  error(source: string): Error {
    const error = this.#errors.get(source) ?? new Error(`From ${source}`);
    this.#errors.set(source, error);
    return error;
  }

  /** The call comes to a place, and there its caller may leave. */
  reach(place: Place, detail = ""): void {
    // When and how often the runtime reads is its own affair.
    if (place !== "journal.read") this.trace.push(place + detail);
    const first = !this.reached.has(place);
    this.reached.add(place);
    const overtaken = this.scenario.idempotent?.overtaken;
    if (first && overtaken?.at === place) this.#overtake(overtaken);
    if (first && this.scenario.leaves === place) this.leave();
  }

  stage(stage: string): void {
    this.stages.push(stage);
    this.trace.push(`· ${stage}`);
  }

  /** Decides a `begin` that waits no longer. */
  claim(): Grant | { readonly state: "completed"; readonly output: unknown } {
    const fault = this.#idempotent.faults.begin;
    if (fault === "refused") throw this.error("begin");
    if (this.record.state === "another tool's") throw new IdempotencyConflictError("tool");
    if (this.record.state === "completed") return this.record;
    const grant = this.#grant();
    if (fault) throw this.error("begin");
    return grant;
  }

  #grant(): Grant {
    const executed = this.record.state === "in doubt" && this.record.executed;
    const state = this.record.state === "in doubt" ? "in doubt" : "fresh";
    this.#fence += 1;
    this.record = { state: "claimed", fence: this.#fence, executed };
    if (state === "fresh" && this.#idempotent.journal === "joined") this.entry = false;
    return { state, fence: this.#fence, executed };
  }

  start(fence: number | undefined, { fresh }: { fresh: boolean }): void {
    this.reach("start", fresh ? " (fresh)" : "");
    this.#apply("start", () => {
      const claim = this.#claimOf(fence);
      if (!fresh) return;
      this.record = { ...claim, executed: false };
      if (this.#idempotent.journal === "joined") this.entry = false;
    });
  }

  complete(fence: number | undefined, output: unknown): void {
    this.reach("complete");
    this.#apply("complete", () => this.#settle(fence, { state: "completed", output }));
  }

  release(fence: number | undefined): void {
    this.reach("release");
    this.#apply("release", () => this.#settle(fence, { state: "absent" }));
  }

  abandon(fence: number | undefined, { executed }: { executed: boolean }): void {
    this.reach("abandon", executed ? " (executed)" : "");
    this.#apply("abandon", () => {
      const stronger = executed || this.#claimOf(fence).executed;
      this.#settle(fence, { state: "in doubt", executed: stronger });
    });
  }

  readEntry(): boolean {
    this.reach("journal.read");
    this.#apply("journal.read", () => {});
    return this.entry;
  }

  /** Begins a write and gives what ends it: a handler may end before its write does. */
  writeEntry(): () => void {
    this.reach("journal.write");
    return () =>
      this.#apply("journal.write", () => {
        this.entry = true;
      });
  }

  removeEntry(): void {
    this.reach("journal.remove");
    this.#apply("journal.remove", () => {
      this.entry = false;
    });
  }

  #apply(method: StorageMethod, change: () => void): void {
    const fault = this.#idempotent.faults[method];
    if (fault !== "refused") change();
    if (fault) throw this.error(method);
  }

  /** Another owner takes the key from a call that has it. */
  #overtake({ completed, told }: Overtaking): void {
    if (this.record.state !== "claimed") return;
    this.record = completed
      ? { state: "completed", output: OUTPUTS.elsewhere }
      : { state: "another owner's" };
    if (told) this.lost.abort(new ClaimLostError());
  }

  #claimOf(fence: number | undefined) {
    const { record } = this;
    if (record.state === "claimed" && record.fence === fence) return record;
    throw new ClaimLostError(record.state === "completed" ? { value: record.output } : undefined);
  }

  #settle(fence: number | undefined, next: KeyRecord): void {
    this.#claimOf(fence);
    this.record = next;
    if (this.#idempotent.journal === "joined" && next.state !== "in doubt") this.entry = false;
  }
}

function recordOf(found: Found): KeyRecord {
  switch (found.state) {
    case "completed":
      return { state: "completed", output: STORED[found.output] };
    case "in doubt":
      return { state: "in doubt", executed: found.executed };
    default:
      return found;
  }
}

const STORED = {
  data: OUTPUTS.stored,
  undefined: undefined,
  unmeasurable: { ...OUTPUTS.stored, size: 1n },
};

/** What a `begin` asks for, in the trace. */
export const intent = ({ reserves, names }: { reserves: boolean; names: boolean }): string =>
  ` (${reserves ? "reserved" : "started"}, journal ${names ? "named" : "not named"})`;
