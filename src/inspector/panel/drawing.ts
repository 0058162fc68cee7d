import type { Surroundings } from "./surroundings.js";

/** Draws at most once a frame, however often something changes. A hidden page draws nothing. */
export class Drawing {
  readonly #surroundings: Surroundings;
  readonly #draw: () => void;
  #cancelFrame: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;
  #ended = false;

  constructor(surroundings: Surroundings, draw: () => void) {
    this.#surroundings = surroundings;
    this.#draw = draw;
  }

  /** Something changed: draw before the next paint. */
  request(): void {
    if (this.#ended) return;
    this.#cancelFrame ??= this.#surroundings.frame(() => {
      this.#cancelFrame = undefined;
      this.#cancelTimer?.();
      this.#cancelTimer = undefined;
      this.#draw();
    });
  }

  /** Time passes: draw again in `ms`, unless something changes before. */
  requestAfter(ms: number): void {
    if (this.#ended) return;
    this.#cancelTimer ??= this.#surroundings.after(ms, () => {
      this.#cancelTimer = undefined;
      this.request();
    });
  }

  end(): void {
    this.#ended = true;
    this.#cancelFrame?.();
    this.#cancelTimer?.();
  }
}
