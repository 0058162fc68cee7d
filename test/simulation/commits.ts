import type { Change } from "../../src/testing/profile/contents.js";
import type { ClaimedRecord } from "../../stores/records.js";
import { judge, type Transition } from "./transitions.js";
import { must } from "./violation.js";
import type { World } from "./world.js";

/** So long may a claim be open that no call has in hand, in milliseconds: as long as it takes to give it back. */
const KEPT_MS = 60_000;

/** What becomes of records, commit by commit. */
export class Commits {
  readonly #world: World;
  readonly #fences = new Set<number>();
  #lastFence = 0;
  /** The latest that a clock has shown. */
  #latest = 0;
  /** When each key was last claimed, by the time that has passed. */
  readonly #claimedAt = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** @throws {Violation} for a record that became what it must not. */
  judge(changes: readonly Change[]): void {
    const last = this.#lastFence;
    for (const change of changes) this.#judge(change, last);
  }

  /** Before a clock is set back, too. */
  lookAtClock(): void {
    this.#latest = Math.max(this.#latest, this.#world.browser.time.now);
  }

  /** Nothing is on its way. @throws {Violation} for a key that is kept by a tab without a call for it. */
  rest(): void {
    const { browser, claims, disturbedAt } = this.#world;
    for (const [key, record] of browser.database.contents.records) {
      if (record.state !== "claimed" || !this.#world.isAlive(record.owner)) continue;
      if (claims.get(record.fence)?.inHand()) continue;
      const since = Math.max(disturbedAt, this.#claimedAt.get(key) ?? 0);
      must(browser.time.elapsed - since < KEPT_MS, `"${key}" is kept by nobody.`);
    }
  }

  /** @param lastFence The highest fence that was given before this commit. */
  #judge(change: Change, lastFence: number): void {
    const { key, after } = change;
    const world = this.#world;
    const before = this.#expires(change) ? undefined : change.before;
    const claimed = before?.state === "claimed" ? before : undefined;
    const claim = world.claims.get(claimed?.fence);
    const transitions = judge(
      { before, after },
      {
        claim,
        undone: claimed !== undefined && !claim && world.claims.isFrozen(claimed.owner),
        asked: (what) => claimed !== undefined && world.claims.wasAsked(claimed.fence, what),
        alive:
          claimed !== undefined &&
          (world.isAlive(claimed.owner) || (claim !== undefined && world.isInHand(claim))),
        isAwake: (call) => world.isAwake(call),
        isNewFence: (fence) => fence > lastFence && !this.#fences.has(fence),
        effects: world.ledger.effects(key),
      },
    );
    world.transitions.push(...transitions);
    if (claimed) this.#mourn(claimed, transitions);
    if (after?.state === "claimed") this.#judgeOwner(after, claimed);
    else world.settledAt.set(key, world.browser.time.elapsed);
    this.#lastFence = Math.max(this.#lastFence, after?.fence ?? 0);
  }

  #judgeOwner(after: ClaimedRecord, before: ClaimedRecord | undefined): void {
    const { callers, browser } = this.#world;
    this.#fences.add(after.fence);
    if (after.fence !== before?.fence) this.#claimedAt.set(after.key, browser.time.elapsed);
    must(
      after.owner === before?.owner || !callers.isGone(after.owner),
      "A key was given to a caller who had long been gone.",
    );
  }

  #mourn(before: ClaimedRecord, transitions: readonly Transition[]): void {
    const died = transitions.some((name) => name.endsWith("owner died"));
    if (died && this.#world.isAwake(before.call)) this.#world.callers.bury(before);
  }

  /** The change begins with the end of an answer that has been kept long enough, by whatever clocks have shown. */
  #expires({ key, before, after }: Change): boolean {
    this.lookAtClock();
    if (before?.state !== "completed" || after?.state === "completed") return false;
    if ((before.expiresAt ?? Number.POSITIVE_INFINITY) > this.#latest) return false;
    this.#world.ledger.forget(key);
    this.#world.transitions.push("completed → absent, expired");
    return true;
  }
}
