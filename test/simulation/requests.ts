import type { PurgeTarget, ResolveRequest } from "../../worker/protocol.js";

/** What a tab asks to be made of a claim. */
const SETTLEMENTS = ["start", "complete", "release", "abandon"] as const;
export type Asked = (typeof SETTLEMENTS)[number];

interface Purge {
  readonly target: PurgeTarget;
  readonly inDoubt: boolean;
}

/** What coordinators were asked, by the messages that have reached them. */
export class Requests {
  /** What was asked to be made of claims, by fence. */
  readonly #asked = new Map<number, Set<Asked>>();
  /** Client ids whose pages hear nothing where they have asked. */
  readonly #unheard = new Set<string>();
  /** The client ids under which something was asked over a line. */
  readonly #owners = new Map<string, Set<string>>();
  /** Fences of outputs that some tab could not read. */
  readonly #unreadable = new Set<number>();
  /** Reviews, by their ids. */
  readonly #reviews = new Map<string, ResolveRequest>();
  /** Purges that may still be carried out, by the message that asks for them: its answer has not come. */
  readonly #purges = new Map<string, Purge>();

  /** A message arrives over a line, at a worker or at a page. */
  hear(line: string, message: unknown): void {
    if (typeof message !== "object" || message === null) return;
    const { id = "", type, path, argumentList = [] } = message as Message;
    if (type === "RELEASE") this.#hangUp(line);
    const [first, second] = argumentList.map(({ value }) => value);
    const request = path?.[0];
    if (request === undefined) this.#purges.delete(id);
    else {
      if (request === "begin") this.#hearBegin(line, first as { readonly owner: string });
      this.#hearRequest(id, request, first, second);
    }
  }

  /** The claim was asked to be made that. */
  wasAsked(fence: number, what: Asked): boolean {
    return this.#asked.get(fence)?.has(what) === true;
  }

  /**
   * The claim's page has gone to the cache, or has let go of the line over which it asked, as a worker knows: a grant that is
   * not there yet is undone.
   */
  isUnheard(owner: string): boolean {
    return this.#unheard.has(owner);
  }

  isUnreadable(fence: number): boolean {
    return this.#unreadable.has(fence);
  }

  review(id: string): ResolveRequest | undefined {
    return this.#reviews.get(id);
  }

  /** Whether what is stored under the key may be purged now. */
  isPurging(key: string, { inDoubt }: { readonly inDoubt: boolean }): boolean {
    return [...this.#purges.values()].some(
      (purge) => covers(purge.target, key) && (purge.inDoubt || !inDoubt),
    );
  }

  #hearRequest(id: string, request: string, first: unknown, second: unknown): void {
    const settlement = SETTLEMENTS.find((name) => name === request);
    if (settlement) this.#hearSettlement(settlement, first as { readonly fence: number });
    switch (request) {
      case "freeze":
        for (const owner of first as readonly string[]) this.#unheard.add(owner);
        break;
      case "unreadable":
        this.#unreadable.add(second as number);
        break;
      case "resolve": {
        const review = second as ResolveRequest;
        this.#reviews.set(review.id, review);
        break;
      }
      case "purge":
        this.#purges.set(id, { target: first as PurgeTarget, ...(second as { inDoubt: boolean }) });
        break;
    }
  }

  #hearBegin(line: string, { owner }: { readonly owner: string }): void {
    this.#owners.set(line, new Set([...(this.#owners.get(line) ?? []), owner]));
  }

  #hangUp(line: string): void {
    for (const owner of this.#owners.get(line) ?? []) this.#unheard.add(owner);
  }

  #hearSettlement(settlement: Asked, { fence }: { readonly fence: number }): void {
    this.#asked.set(fence, new Set([...(this.#asked.get(fence) ?? []), settlement]));
  }
}

export const covers = (target: PurgeTarget, key: string): boolean =>
  "key" in target ? target.key === key : key.startsWith(target.prefix);

/** A request or an answer, as Comlink sends it. */
interface Message {
  readonly id?: string;
  readonly type?: string;
  readonly path?: readonly string[];
  readonly argumentList?: readonly { readonly value?: unknown }[];
}
