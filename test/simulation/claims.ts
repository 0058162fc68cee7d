import type { IdempotencyStore } from "../../src/index.js";
import type { VirtualPage } from "../../src/testing/profile/page.js";
import type { Call } from "./application.js";

/** A claim that a tab was told of. */
export interface KnownClaim {
  readonly key: string;
  readonly page: VirtualPage;
  /** Aborts when the tab knows that others take it for dead. */
  readonly lost: AbortSignal | undefined;
  /** The call that it was granted to goes on. */
  readonly inHand: () => boolean;
  /** The runtime has asked for its end. */
  givenUp: boolean;
  /** Recovery was told that nothing happened, by the authority or by a journal without an entry. */
  proven: "not applied" | "no entry" | undefined;
}

/** All claims that tabs were told of, by fence. */
export class Claims {
  readonly #known = new Map<number, KnownClaim>();
  readonly #granted: (call: Call, fence: number) => void;
  readonly #step: () => number;

  /** @param granted Told that a call has got its key without anything to recover. */
  constructor({
    granted,
    step,
  }: { readonly granted: (call: Call, fence: number) => void; readonly step: () => number }) {
    this.#granted = granted;
    this.#step = step;
  }

  get(fence: number | undefined): KnownClaim | undefined {
    return fence === undefined ? undefined : this.#known.get(fence);
  }

  /** The store of a call's page, listened at. */
  storeOf(call: Call): IdempotencyStore {
    const { page, step } = call;
    const store = page.profile.idempotency;
    const inHand = () => call.end === undefined;
    return {
      begin: async (key, options) => {
        const onWait = () => {
          call.waited ??= this.#step();
          options.onWait?.();
        };
        // The digest is made outside of the virtual browser, so the intent itself stands for it.
        const begun = await store.begin(key, { ...options, onWait, fingerprint: step.intent });
        if (begun.state !== "completed" && begun.fence !== undefined) {
          const { fence, lost } = begun;
          call.fences.add(fence);
          this.#known.set(fence, { key, page, lost, inHand, givenUp: false, proven: undefined });
          if (begun.state === "fresh") this.#granted(call, fence);
        }
        return begun;
      },
      start: async (key, options) => store.start?.(key, options),
      complete: (key, value, options) => store.complete(key, value, this.#ending(options)),
      release: (key, options) => store.release(key, this.#ending(options)),
      abandon: (key, options) => store.abandon(key, this.#ending(options)),
    };
  }

  #ending<Options extends { readonly fence?: number | undefined }>(options: Options): Options {
    const claim = this.get(options.fence);
    if (claim) claim.givenUp = true;
    return options;
  }
}
