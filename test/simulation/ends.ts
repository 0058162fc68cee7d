import type { Call, End } from "./application.js";
import type { Key } from "./plan.js";
import { must, Violation } from "./violation.js";
import type { World } from "./world.js";

/** So long may it take that a waiter learns that its key is free, in milliseconds. */
const STUCK_MS = 30_000;
/** A tab that loses so many workers in one call may give up. */
const LOSSES = 4;

/** What the injected faults and the application's own hooks explain. */
const CODES: readonly unknown[] = [
  "confirmation_declined",
  "verification_failed",
  "outcome_unknown",
  "output_not_serializable",
  "claim_lost",
  "refused",
];
const MESSAGES = ["first", "written", "done", "The attempt is closed.", "The caller left."];
const STORAGE = /^The (storage is (full|closed|broken)|transaction did not end in time)\.$/;

/** Judges how a call has ended. @throws {Violation} for an end that nothing explains. */
export function judgeEnd(world: World, call: Call, end: End): void {
  if ("value" in end) {
    judgeAnswer(world, call, end.value);
    return;
  }
  const { key } = call.step;
  const { error } = end;
  switch (codeOf(error)) {
    case "operation_in_progress":
      judgeWaiting(world, key);
      return;
    case "operation_purged":
      judgePurged(world, call);
      return;
    case "idempotency_conflict":
      judgeConflict(world, call);
      return;
    case "coordination_unavailable":
      judgeUnavailable(world, call, String(error));
      return;
    default:
      if (!isExpected(error)) throw new Violation(`A caller of "${key}" got ${textOf(error)}.`);
  }
}

/**
 * What was purged is told to no call that has begun since, nor what had expired when it began. A call that is issued again gets
 * it: it may have waited for it.
 */
function judgeAnswer(world: World, call: Call, value: unknown): void {
  const { step, begun, expired, replayed } = call;
  const goneSince = world.ledger.goneSince(step, value);
  must(goneSince !== undefined, `A caller of "${step.key}" got ${JSON.stringify(value)}.`);
  must(!replayed || begun <= goneSince, `A caller of "${step.key}" got a purged answer.`);
  const isExpired = expired !== undefined && expired === Object(value).receipt;
  const isAllowed = world.callers.hasReissued(call.page.surroundings.process.name, step.key);
  must(!replayed || !isExpired || isAllowed, `A caller of "${step.key}" got an expired answer.`);
}

/** Only who has met an answer that was purged, or is going to be. */
function judgePurged(
  { commits, callers, transitions }: World,
  { step: { key }, begun, page }: Call,
): void {
  const hasReissued = callers.hasReissued(page.surroundings.process.name, key);
  const met = commits.history.some(
    key,
    begun,
    (record) =>
      (record?.state === "purged" &&
        (hasReissued || commits.wasPurgedSince(record.fence, begun))) ||
      (record?.state === "claimed" && !!record.purged),
  );
  must(met, `A caller of "${key}" was told of a purge that was not.`);
  transitions.push("purged → waiter told");
}

/** Whoever waits in vain waits for an owner that lives. */
function judgeWaiting(world: World, key: Key): void {
  const { database, time } = world.browser;
  const record = database.contents.records.get(key);
  if (record?.state === "claimed" && world.isAlive(record.owner)) {
    // A claim that no call has in hand is given back, or it would be kept for ever.
    if (world.claims.get(record.fence)?.inHand()) return;
  }
  const since = Math.max(world.disturbedAt, world.settledAt.get(key) ?? 0);
  if (!world.stopped && time.elapsed - since > STUCK_MS) {
    throw new Violation(`A caller of "${key}" was left waiting for nobody.`);
  }
}

/** Only another intent is in conflict with a caller's. */
function judgeConflict({ calls }: World, { step: { key, intent } }: Call): void {
  must(
    calls.some(({ step }) => step.key === key && step.intent !== intent),
    `A caller of "${key}" was in conflict with nobody.`,
  );
}

function judgeUnavailable(world: World, { step: { key }, faults }: Call, text: string): void {
  must(!text.includes("refused this page's message"), `A worker refused what a tab said: ${text}`);
  must(
    !text.includes("was lost several times") || world.faults - faults >= LOSSES,
    `A caller of "${key}" was told that its worker is lost, though nothing had happened to it.`,
  );
}

/** The faults explain this end of a call, or of another request. */
export function isExpected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    CODES.includes(codeOf(error)) || MESSAGES.includes(error.message) || STORAGE.test(error.message)
  );
}

export const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

export const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error);
