import type { Clock } from "./clock.js";
import type { Progress } from "./contracts.js";
import { bounded } from "./text.js";

const PAUSE_MS = 100;
const MAX_LABEL = 80;

/** Passes on what one handler says of its progress, at most once every 100 ms. What it said last is always passed on. */
export class ProgressTeller {
  readonly #clock: Clock;
  readonly #tell: (progress: Progress) => void;
  #held: Progress | undefined;
  #endPause: (() => void) | undefined;

  constructor(clock: Clock, tell: (progress: Progress) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  say(said: Progress): void {
    const progress = sound(said);
    if (!progress) return;
    if (this.#endPause) this.#held = progress;
    else this.#pass(progress);
  }

  /** The handler has ended: what was held back is of no use any more. */
  end(): void {
    this.#endPause?.();
    this.#endPause = undefined;
    this.#held = undefined;
  }

  #pass(progress: Progress): void {
    this.#held = undefined;
    this.#endPause = this.#clock.after(PAUSE_MS, () => {
      this.#endPause = undefined;
      if (this.#held) this.#pass(this.#held);
    });
    this.#tell(progress);
  }
}

/** A mistake in what is shown must not end a handler, so what can't be shown is dropped. */
function sound(said: Partial<Progress> | null | undefined): Progress | undefined {
  const { done, total, label } = said ?? {};
  if (done === undefined || !Number.isFinite(done)) return undefined;
  return Object.freeze({
    done,
    ...(Number.isFinite(total) && { total }),
    ...(typeof label === "string" && { label: bounded(label, MAX_LABEL) }),
  });
}
