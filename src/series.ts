import type { Clock } from "./clock.js";
import type { ActivityReport, ProfileActivity, Progress } from "./contracts.js";
import { type Emit, isEnd, type LifecycleEvent, type Stage } from "./events.js";
import { ProgressTeller } from "./progress.js";

/** What is told of a call beside its events: see {@link ActivityReport}. */
export type News = Omit<ActivityReport, "tab">;

/** Where an activity learns of one interface's calls. */
export interface Feed {
  /** That of the interface's profile. */
  readonly activity: ProfileActivity | undefined;
  /** Tells of the calls that run, and from then on of everything. What it returns ends that. */
  watch(watcher: (news: News) => void): () => void;
}

/** Who is told. */
export interface Audience {
  /** Anybody is there at all. */
  readonly present: boolean;
  readonly tell: (event: LifecycleEvent) => void;
  readonly report: (news: News) => void;
  /** The series has begun, or ended. */
  readonly running: (series: Series, runs: boolean) => void;
}

/** The events of one call or registration, and what is shown of it beside them. */
export class Series {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #audience: Audience;
  readonly #invocationId = crypto.randomUUID();
  readonly #startedAt: number;
  readonly #teller: ProgressTeller;
  #stage: Stage = "started";
  #key: string | undefined;
  #progress: Progress | undefined;

  constructor(name: string, clock: Clock, audience: Audience) {
    this.#name = name;
    this.#clock = clock;
    this.#audience = audience;
    this.#startedAt = clock.now();
    this.#teller = new ProgressTeller(clock, (progress) => {
      this.#progress = progress;
      this.#repeat();
    });
  }

  readonly emit: Emit = (stage, error) => {
    this.#stage = stage;
    this.#progress = undefined;
    this.#teller.end();
    if (stage === "started" || isEnd(stage)) this.#audience.running(this, !isEnd(stage));
    if (!this.#audience.present) return;
    const event = this.#event(
      stage,
      stage === "started" ? this.#startedAt : this.#clock.now(),
      error,
    );
    this.#audience.tell(event);
    this.#audience.report(this.#news(event));
  };

  /** The key of the call's operation is known now. */
  concerns(key: string): void {
    this.#key = key;
    this.#repeat();
  }

  /** The handler says how far it is. */
  progress(progress: Progress): void {
    this.#teller.say(progress);
  }

  /** Where the call is now, for those who were not there. */
  now(): News {
    return this.#news(this.#event(this.#stage, this.#clock.now()));
  }

  /** News without a stage of its own comes with the last one. */
  #repeat(): void {
    if (this.#audience.present) this.#audience.report(this.now());
  }

  #news(event: LifecycleEvent): News {
    const [key, progress] = [this.#key, this.#progress];
    return { event, ...(key !== undefined && { key }), ...(progress && { progress }) };
  }

  #event(stage: Stage, timestamp: number, error?: unknown): LifecycleEvent {
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

/** What was thrown can have getters, and they can throw. The fields of what is no error may be personal. */
function summary(thrown: unknown): LifecycleEvent["error"] {
  try {
    if (!isError(thrown)) return { name: typeof thrown };
    const { name, code } = thrown;
    return typeof code === "string" ? { name, code } : { name };
  } catch {
    return { name: "Error" };
  }
}

/** Also one of another realm, such as a frame's. */
const isError = (thrown: unknown): thrown is Error & { readonly code?: unknown } =>
  thrown instanceof Error ||
  ["[object Error]", "[object DOMException]"].includes(Object.prototype.toString.call(thrown));
