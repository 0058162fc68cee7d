import { vi } from "vitest";
import type { TestTab } from "../../support/world/tab.js";
import type { World } from "../../support/world/world.js";
import type { CallStep } from "./scenario.js";

type Key = CallStep["key"];

/** What a reviewer, a logout or the time did, or failed with. */
interface Review {
  readonly tab: TestTab;
  readonly of: "purge" | "review";
  done: boolean;
  error: unknown;
}

const LONGER_THAN_ANSWERS_ARE_KEPT = 25 * 3_600_000;

/** Forgets and settles what is stored, and keeps account of what calls may get from then on. */
export class Reviews {
  readonly all: Review[] = [];
  readonly #world: World;
  /** Outputs that were completed before a purge or their expiry, which is over. */
  readonly #gone = new Set<unknown>();
  /** Those that have expired, and were not purged. */
  readonly #expired = new Set<unknown>();
  /** Outputs that a reviewer has found at the authority. */
  readonly #given = new Set<unknown>();
  /** How often a key may have become free after its effect. */
  readonly #freed = { a: 0, b: 0 };

  constructor(world: World) {
    this.#world = world;
  }

  /** The answers that no call may get that begins now. */
  get gone(): ReadonlySet<unknown> {
    return new Set(this.#gone);
  }

  /**
   * The answer was gone, and nobody has given it again. A call that is issued again may have waited for one that expired, and
   * gets it.
   */
  isStale(output: unknown, gone: ReadonlySet<unknown>, { issuedAgain = false } = {}): boolean {
    const receipt = receiptOf(output);
    if (issuedAgain && this.#expired.has(receipt)) return false;
    return gone.has(receipt) && !this.#given.has(receipt);
  }

  /** How many effects the key may have had. */
  effectsAllowed(key: Key): number {
    return 1 + this.#freed[key];
  }

  purge(tab: TestTab, key: Key, { inDoubt }: { readonly inDoubt: boolean }): void {
    this.#freed[key] += 1;
    this.#begin(tab, "purge", async () => {
      const stored = await this.#stored(key);
      await tab.profile.operations.purge({ key }, { inDoubt });
      if (stored === undefined) return;
      this.#gone.add(stored);
      this.#expired.delete(stored);
    });
  }

  /** Somebody looks what has become of an operation, and says so. */
  review(tab: TestTab, key: Key): void {
    this.#begin(tab, "review", async () => {
      const { authority } = this.#world;
      const { operations } = tab.profile;
      const { record, entry } = await this.#world.storage.everything(key);
      const { state, fence = 0 } = Object(record) as { state?: string; fence?: number };
      const attempt = (Object(entry) as { entry?: { fence: number } }).entry?.fence;
      const found = attempt === undefined ? undefined : authority.receiptOf(key, attempt);
      if (found) {
        this.#given.add(found.receipt);
        return operations.resolve(key, { outcome: "completed", output: found });
      }
      if (state === "in_doubt") authority.close(key, fence);
      const effects = authority.effects(key);
      await operations.resolve(key, { outcome: "not_applied" });
      // The review was about an attempt that has been followed by another one.
      if (authority.effects(key) > effects || state !== "in_doubt") this.#freed[key] += 1;
    });
  }

  async expire(): Promise<void> {
    const stored = [await this.#stored("a"), await this.#stored("b")];
    vi.setSystemTime(Date.now() + LONGER_THAN_ANSWERS_ARE_KEPT);
    for (const output of stored) {
      if (output === undefined || this.#gone.has(output)) continue;
      this.#gone.add(output);
      this.#expired.add(output);
    }
    this.#freed.a += 1;
    this.#freed.b += 1;
  }

  /** The receipt that later calls would get now. */
  async #stored(key: Key): Promise<unknown> {
    const record = await this.#world.record(key);
    return record?.state === "completed" ? receiptOf(record.output) : undefined;
  }

  #begin(tab: TestTab, of: Review["of"], act: () => Promise<unknown>): void {
    const review: Review = { tab, of, done: false, error: undefined };
    this.all.push(review);
    act()
      .catch((error: unknown) => {
        review.error = error;
      })
      .finally(() => {
        review.done = true;
      });
  }
}

const receiptOf = (output: unknown): unknown => (Object(output) as { receipt?: unknown }).receipt;
