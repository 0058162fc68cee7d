import type { Clock } from "./clock.js";
import type { ActivityReport } from "./contracts.js";
import type { Emit, LifecycleEvent, Stage } from "./events.js";

/** What is told of a call beside its events: see {@link ActivityReport}. */
type News = Omit<ActivityReport, "tab">;

/** Who is told. */
export interface Audience {
  /** Anybody is there at all. */
  readonly present: boolean;
  readonly tell: (event: LifecycleEvent) => void;
  readonly report: (news: News) => void;
}

/** The events of one call or registration, and what is shown of it beside them. */
export class Series {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #audience: Audience;
  readonly #invocationId = crypto.randomUUID();
  readonly #startedAt: number;
  #stage: Stage | undefined;
  #key: string | undefined;

  constructor(name: string, clock: Clock, audience: Audience) {
    this.#name = name;
    this.#clock = clock;
    this.#audience = audience;
    this.#startedAt = clock.now();
  }

  readonly emit: Emit = (stage, error) => {
    this.#stage = stage;
    if (!this.#audience.present) return;
    const event = this.#event(stage, error);
    this.#audience.tell(event);
    this.#report(event);
  };

  /** The key of the call's operation is known now. */
  concerns(key: string): void {
    this.#key = key;
    // News without a stage of its own comes with the last one.
    if (this.#stage && this.#audience.present) this.#report(this.#event(this.#stage));
  }

  #report(event: LifecycleEvent): void {
    const key = this.#key;
    this.#audience.report({ event, ...(key === undefined ? {} : { key }) });
  }

  #event(stage: Stage, error?: unknown): LifecycleEvent {
    const timestamp = this.#clock.now();
    return Object.freeze({
      invocationId: this.#invocationId,
      name: this.#name,
      stage,
      timestamp,
      // A clock that was set back must not report a negative duration.
      durationMs: Math.max(0, timestamp - this.#startedAt),
      ...(error === undefined ? {} : { error: summary(error) }),
    });
  }
}

/** An application's error can have getters, and they can throw. */
function summary(error: unknown): LifecycleEvent["error"] {
  if (!(error instanceof Error)) return { name: typeof error };
  try {
    const { name, code } = error as Error & { code?: unknown };
    return typeof code === "string" ? { name, code } : { name };
  } catch {
    return { name: "Error" };
  }
}
