import type { IdempotencyStore } from "../../src/index.js";
import type { VirtualPage } from "../../src/testing/profile/page.js";
import type { Call } from "./application.js";

/** What a tab asks to be made of a claim. */
const REQUESTS = ["start", "complete", "release", "abandon"] as const;
export type Asked = (typeof REQUESTS)[number];

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
  /** What workers were asked to make of a claim, by fence. */
  readonly #asked = new Map<number, Set<Asked>>();
  readonly #frozen = new Set<string>();

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
        // The digest is made outside of the virtual browser, so the intent itself stands for it.
        const begun = await store.begin(key, { ...options, fingerprint: step.intent });
        if (begun.state !== "completed" && begun.fence !== undefined) {
          const { fence, lost } = begun;
          call.fences.add(fence);
          this.#known.set(fence, { key, page, lost, inHand, givenUp: false, proven: undefined });
        }
        return begun;
      },
      start: async (key, options) => store.start?.(key, options),
      complete: (key, value, options) => store.complete(key, value, this.#ending(options)),
      release: (key, options) => store.release(key, this.#ending(options)),
      abandon: (key, options) => store.abandon(key, this.#ending(options)),
    };
  }

  /** A message arrives at a worker. */
  hear(message: unknown): void {
    const { path, argumentList } = (message ?? {}) as Message;
    if (path?.[0] === "freeze") this.#hearFreeze(argumentList?.[0]?.value);
    const asked = REQUESTS.find((request) => path?.[0] === request);
    const fence = argumentList?.[0]?.value?.fence;
    if (!asked || fence === undefined) return;
    this.#asked.set(fence, new Set([...(this.#asked.get(fence) ?? []), asked]));
  }

  /** Whether a worker was asked to make that of the claim. */
  wasAsked(fence: number, what: Asked): boolean {
    return this.#asked.get(fence)?.has(what) === true;
  }

  /** The claim's page has gone to the cache, as a worker knows: a grant that is not there yet is undone. */
  isFrozen(owner: string): boolean {
    return this.#frozen.has(owner);
  }

  #hearFreeze(owners: unknown): void {
    if (Array.isArray(owners)) for (const owner of owners) this.#frozen.add(owner);
  }

  #ending<Options extends { readonly fence?: number | undefined }>(options: Options): Options {
    const claim = this.get(options.fence);
    if (claim) claim.givenUp = true;
    return options;
  }
}

/** A request of a tab, as far as settlements are concerned. */
interface Message {
  readonly path?: readonly string[];
  readonly argumentList?: readonly { readonly value?: { readonly fence?: number } }[];
}
