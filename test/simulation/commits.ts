import type { Change } from "../../src/testing/profile/contents.js";
import type { ClaimedRecord, OperationRecord } from "../../stores/records.js";
import { History } from "./history.js";
import { judge, stagesOf } from "./judge.js";
import type { Plan } from "./plan.js";
import { FORGETTING, type Knowledge, type Stage, type Transition } from "./transitions.js";
import { must } from "./violation.js";
import type { World } from "./world.js";

/** So long may a claim be open that no call has in hand, in milliseconds: as long as it takes to give it back. */
const KEPT_MS = 45_000;

/** What becomes of records, commit by commit. */
export class Commits {
  readonly history = new History();
  readonly #world: World;
  /** The least outputs that one of the tabs keeps. */
  readonly #maxCompleted: number;
  readonly #fences = new Set<number>();
  #lastFence = 0;
  /** The latest that a clock has shown. */
  #latest = 0;
  /** When each key was last claimed, by the time that has passed. */
  readonly #claimedAt = new Map<string, number>();

  /** When answers were purged, by their fence: the step. */
  readonly #purgedAt = new Map<number, number>();
  /** Claims that took the place of an answer, by fence: the last step at which it was to be had, and what its record was. */
  readonly #replaced = new Map<number, { readonly step: number; readonly state: Answered }>();

  constructor(world: World, { profiles }: Plan) {
    this.#world = world;
    this.#maxCompleted = Math.min(...profiles.map(({ maxCompleted }) => maxCompleted));
  }

  /** @throws {Violation} for a record that became what it must not. */
  judge(changes: readonly Change[]): void {
    this.lookAtClock();
    const last = this.#lastFence;
    for (const change of changes) this.#judge(change, last);
  }

  /** Before a clock is set back, too. */
  lookAtClock(): void {
    this.#latest = Math.max(this.#latest, this.#world.browser.time.now);
  }

  /** The key's answer is older than it may become. */
  hasExpired(key: string): boolean {
    const { database, time } = this.#world.browser;
    const record = database.contents.records.get(key);
    return (
      record?.state === "completed" &&
      record.expiresAt !== undefined &&
      record.expiresAt <= time.now
    );
  }

  /** The answer whose place the claim has taken since that step. */
  replacedSince(fence: number, step: number): Answered | undefined {
    const replaced = this.#replaced.get(fence);
    return replaced && replaced.step >= step ? replaced.state : undefined;
  }

  /** The answer of that claim was purged at that step or later. */
  wasPurgedSince(fence: number, step: number): boolean {
    return (this.#purgedAt.get(fence) ?? Number.NEGATIVE_INFINITY) >= step;
  }

  /** What was not on the disk is lost. */
  powerWasCut(): void {
    const { browser, ledger } = this.#world;
    for (const [key, record] of browser.database.contents.records) {
      if (record.state !== "purged") ledger.remember(key, record.fence);
      this.history.add(key, record, browser.schedule.steps);
    }
  }

  /** Nothing happens until then. @throws {Violation} for a key that is kept by a tab without a call for it. */
  rest(until: number): void {
    const { browser, claims, disturbedAt } = this.#world;
    for (const [key, record] of browser.database.contents.records) {
      if (record.state !== "claimed" || !this.#world.isAlive(record.owner)) continue;
      if (claims.get(record.fence)?.inHand()) continue;
      const since = Math.max(disturbedAt, this.#claimedAt.get(key) ?? 0);
      must(until - since < KEPT_MS, `"${key}" is kept by nobody.`);
    }
  }

  /** @param lastFence The highest fence that was given before this commit. */
  #judge(change: Change, lastFence: number): void {
    const { key, before, after } = change;
    const { browser, settledAt } = this.#world;
    const { steps } = browser.schedule;
    for (const stage of stagesOf(change, this.#knowledge(key, before, lastFence))) {
      const transition = judge(stage, this.#knowledge(key, stage.before, lastFence));
      if (transition) this.#happened(transition, key, stage.before);
      this.#follow(stage, steps);
    }
    const claimed = before?.state === "claimed" ? before : undefined;
    if (after?.state === "claimed") this.#judgeOwner(after, claimed);
    else settledAt.set(key, browser.time.elapsed);
    this.#lastFence = Math.max(this.#lastFence, after?.fence ?? 0);
    this.history.add(key, after, browser.schedule.steps);
  }

  /** What becomes of answers, and what takes their place. */
  #follow({ before, after }: Stage, step: number): void {
    if (after?.state === "purged" && !this.#purgedAt.has(after.fence))
      this.#purgedAt.set(after.fence, step);
    if (after?.state !== "claimed" || !isAnswered(before)) return;
    const since = before.state === "purged" ? (this.#purgedAt.get(before.fence) ?? step) : step;
    this.#replaced.set(after.fence, { step: since, state: before.state });
  }

  #knowledge(key: string, before: OperationRecord | undefined, lastFence: number): Knowledge {
    const world = this.#world;
    const { claims, requests, browser } = world;
    const claimed = before?.state === "claimed" ? before : undefined;
    const claim = claims.get(claimed?.fence);
    const stored = [...browser.database.contents.records.values()];
    return {
      claim,
      undone: claimed !== undefined && !claim && requests.isUnheard(claimed.owner),
      asked: (what) => claimed !== undefined && requests.wasAsked(claimed.fence, what),
      alive:
        claimed !== undefined &&
        (world.isAlive(claimed.owner) || (claim !== undefined && world.isInHand(claim))),
      isAwake: (call) => world.isAwake(call),
      isNewFence: (fence) => fence > lastFence && !this.#fences.has(fence),
      effects: world.ledger.effects(key),
      purging: (options) => requests.isPurging(key, options),
      unreadable: (fence) => requests.isUnreadable(fence),
      reviewed: (id) => requests.review(id)?.resolution.outcome,
      // The commit has been made: what it has removed counts, too.
      tooMany: stored.filter((record) => "expiresAt" in record).length + 1 > this.#maxCompleted,
      latest: this.#latest,
    };
  }

  #happened(transition: Transition, key: string, before: OperationRecord | undefined): void {
    const { transitions, ledger, browser, callers } = this.#world;
    transitions.push(transition);
    if (before && FORGETTING.has(transition)) ledger.forget(key, before.fence);
    // It was never stored, so that nobody can have been given it.
    if (transition === "marked claim → purged, output dropped") {
      ledger.isGone(key, browser.schedule.steps);
    }
    const died = transition.endsWith("owner died");
    if (died && before?.state === "claimed" && this.#world.isAwake(before.call))
      callers.bury(before);
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
}

/** There is, or there was, an answer for those who wait. */
type Answered = "completed" | "purged";

const isAnswered = (
  record: OperationRecord | undefined,
): record is OperationRecord & { readonly state: Answered } =>
  record?.state === "completed" || record?.state === "purged";
