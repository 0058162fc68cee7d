import type { ActivityReport, Progress } from "../../contracts.js";
import type { LifecycleEvent, Stage } from "../../events.js";

/** A stage of one call; the events of registrations are no calls. */
export type CallStage = Exclude<
  Stage,
  "registering" | "registered" | "unsupported" | "registration_failed" | "unregistered"
>;

/** When a call reached a stage, in epoch milliseconds. */
export interface Mark {
  readonly stage: CallStage;
  readonly at: number;
}

/** A call as far as it was heard of. */
export interface LoggedCall {
  readonly id: string;
  readonly tab: string;
  readonly tool: string;
  readonly startedAt: number;
  readonly key: string | undefined;
  /** What the handler has said last. */
  readonly progress: Progress | undefined;
  /** In the order in which they were told. */
  readonly marks: readonly Mark[];
  /** Its last mark, once it ended. */
  readonly end: (Mark & { readonly error: LifecycleEvent["error"] }) | undefined;
  /** Grows with every change, so that a row knows whether it is up to date. */
  readonly revision: number;
}

interface OpenCall extends LoggedCall {
  key: string | undefined;
  progress: Progress | undefined;
  readonly marks: Mark[];
  end: (Mark & { readonly error: LifecycleEvent["error"] }) | undefined;
  revision: number;
}

/** The latest calls of all tabs, oldest first. */
export class CallLog {
  readonly #limit: number;
  readonly #byId = new Map<string, OpenCall>();
  readonly #byKey = new Map<string, Set<OpenCall>>();
  #calls: OpenCall[] = [];

  /** @param limit How many calls are kept; the oldest go first. */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  get calls(): readonly LoggedCall[] {
    return this.#calls;
  }

  /** How many of them have not ended. */
  get running(): number {
    return this.#running;
  }
  #running = 0;

  /** The calls with this key, oldest first. */
  sharing(key: string): Iterable<LoggedCall> {
    return this.#byKey.get(key) ?? [];
  }

  /** A stage that is told again brings nothing but its key and progress. */
  add({ tab, event, key, progress }: ActivityReport): void {
    const { stage, timestamp, durationMs, name, invocationId, error } = event;
    if (!isCallStage(stage)) return;
    let call = this.#byId.get(invocationId);
    if (!call) {
      call = {
        ...{ id: invocationId, tab, tool: name, startedAt: timestamp - durationMs },
        ...{ key: undefined, progress: undefined, marks: [], end: undefined, revision: 0 },
      };
      this.#insert(call);
    }
    if (key !== undefined && call.key === undefined) this.#bind(call, key);
    if (progress !== undefined) {
      call.progress = progress;
      call.revision += 1;
    }
    if (call.marks.some((mark) => mark.stage === stage)) return;
    const mark = { stage, at: timestamp };
    call.marks.push(mark);
    call.revision += 1;
    if (!isEnd(stage) || call.end) return;
    call.end = { ...mark, error };
    this.#running -= 1;
  }

  /** Forgets the calls that have ended. */
  clear(): void {
    for (const call of this.#calls) {
      if (call.end) this.#forget(call);
    }
    this.#calls = this.#calls.filter(({ end }) => !end);
  }

  #insert(call: OpenCall): void {
    this.#byId.set(call.id, call);
    this.#calls.push(call);
    this.#running += 1;
    const beyond = Math.max(0, this.#calls.length - this.#limit);
    for (const oldest of this.#calls.splice(0, beyond)) this.#forget(oldest);
  }

  #bind(call: OpenCall, key: string): void {
    call.key = key;
    call.revision += 1;
    const sharing = this.#byKey.get(key) ?? new Set();
    sharing.add(call);
    this.#byKey.set(key, sharing);
  }

  #forget(call: OpenCall): void {
    this.#byId.delete(call.id);
    if (!call.end) this.#running -= 1;
    const sharing = call.key === undefined ? undefined : this.#byKey.get(call.key);
    sharing?.delete(call);
    if (call.key !== undefined && sharing?.size === 0) this.#byKey.delete(call.key);
  }
}

function isCallStage(stage: Stage): stage is CallStage {
  switch (stage) {
    case "registering":
    case "registered":
    case "unsupported":
    case "registration_failed":
    case "unregistered":
      return false;
    default:
      return true;
  }
}

const isEnd = (stage: CallStage) =>
  stage === "succeeded" || stage === "failed" || stage === "outcome_unknown";
