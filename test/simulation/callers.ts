import type { ClaimedRecord } from "../../stores/records.js";
import { must } from "./violation.js";

/** The calls that ask for keys, by what workers have heard of them. */
export class Callers {
  /** Each call's last issue that a worker has heard of. */
  readonly #issues = new Map<string, number>();
  /** Calls that ended with their owner's death, though nobody had issued them again. */
  readonly #buried = new Map<string, number>();
  readonly #owners = new Set<string>();
  readonly #gone = new Set<string>();
  /** Pages that have issued a call again, with its key. */
  readonly #reissued = new Set<string>();

  /**
   * A message arrives at a worker.
   * @throws {Violation} for a call that is issued again and has lost its claim: its tab had let its older lock go.
   */
  hear(message: unknown): void {
    const { path, argumentList } = (message ?? {}) as Message;
    const request = argumentList?.[0]?.value;
    if (path?.[0] !== "begin" || !request) return;
    const { call, attempt, owner, key } = request;
    if (attempt > 0) this.#reissued.add(`${pageOf(call)} ${key}`);
    const buried = this.#buried.get(call);
    must(
      buried === undefined || attempt <= buried,
      "A call lost its claim while it was issued again.",
    );
    this.#issues.set(call, Math.max(attempt, this.#issues.get(call) ?? 0));
    this.#owners.add(owner);
  }

  /** A claim has ended with its owner's death, though its page lives. One of an older copy of its call always does. */
  bury({ call, attempt }: ClaimedRecord): void {
    if (this.#issues.get(call) === attempt) this.#buried.set(call, attempt);
  }

  /** Nothing is on its way: every worker has noticed by now whose lock is free. */
  rest(isAlive: (owner: string) => boolean): void {
    for (const owner of this.#owners) {
      if (isAlive(owner)) continue;
      this.#owners.delete(owner);
      this.#gone.add(owner);
    }
  }

  /** The page has issued a call for the key again: it may have waited where its first issue went. */
  hasReissued(page: string, key: string): boolean {
    return this.#reissued.has(`${page} ${key}`);
  }

  /** Its lock had been free for so long that it must have been dropped. */
  isGone(owner: string): boolean {
    return this.#gone.has(owner);
  }
}

/** Ids are the page's name and a number. */
const pageOf = (id: string): string => id.slice(0, id.lastIndexOf("."));

/** A request for a key. */
interface Message {
  readonly path?: readonly string[];
  readonly argumentList?: readonly {
    readonly value?: {
      readonly call: string;
      readonly attempt: number;
      readonly owner: string;
      readonly key: string;
    };
  }[];
}
