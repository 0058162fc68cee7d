import type { Clock } from "../src/clock.js";
import type { BeginOptions } from "../src/contracts.js";
import { persist } from "../src/persist.js";
import { notCoordinated } from "../src/uncoordinated.js";
import type { Answer, Granted } from "../worker/protocol.js";
import { ConnectionLost } from "./failures.js";
import { again, type Link } from "./link.js";
import type { Holding, Presence } from "./presence.js";

/** One call that asks for a key, from its first message to its answer. */
export interface BeginCall {
  readonly id: string;
  /** The answer, and the sign of life under which it was given: the caller releases it. */
  readonly answer: Promise<{ readonly answer: Answer; readonly holding: Holding }>;
  /** Wait no longer. The answer still comes, because a grant may be on its way. */
  leave(): void;
}

/** What a call needs of its tab. */
export interface BeginSurroundings {
  readonly link: Link;
  readonly presence: Presence;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Returns a grant that nobody waits for any more. */
  readonly giveBack: (call: string, granted: Granted, holding: Holding) => Promise<void>;
  readonly inBackground: (work: Promise<void>) => void;
}

/** How often a call that was refused is issued again to learn what became of it: its locks must not be kept for ever. */
const ATTEMPTS = 5;

/**
 * Asks for a key, and asks again under the same call id and a new sign of life whenever the worker or the tab's lock was
 * lost. The older locks are kept until the call is answered: an older copy of it may have been granted.
 */
export function beginCall(
  { link, presence, clock, newId, giveBack, inBackground }: BeginSurroundings,
  key: string,
  options: Pick<BeginOptions, "tool" | "fingerprint" | "journalKey" | "reserve" | "onWait">,
): BeginCall {
  const id = newId();
  let left = false;
  let told = false;
  /** An earlier issue went out and its answer was lost: it may have been granted. */
  let unanswered = false;

  async function issue(attempt: number, holding: Holding): Promise<Answer> {
    const { tool = "", fingerprint, journalKey, reserve = false } = options;
    const owner = holding.id;
    const first = await link.send((remote) => {
      const sent = remote.begin({
        key,
        tool,
        fingerprint,
        journalKey,
        call: id,
        attempt,
        owner,
        reserve,
      });
      if (left) leave();
      return sent;
    });
    if (first.state !== "waiting") return first;
    if (!told && !left) options.onWait?.();
    told = true;
    return await link.send((remote) => remote.wait(id), { patient: true });
  }

  function leave(): void {
    left = true;
    // Its answer is the begin's own. A lost worker needs no notice.
    link.send((remote) => remote.leave(id)).catch(() => {});
  }

  async function run() {
    const older: Holding[] = [];
    let issues = 0;
    try {
      return await again(async (attempt) => {
        issues = attempt + 1;
        await link.awake();
        if (attempt > 0) presence.renew();
        const holding = await presence.hold();
        older.push(holding);
        const answer = await issue(attempt, holding).catch((error: unknown) => {
          unanswered ||= error instanceof ConnectionLost;
          throw error;
        });
        // Another tab may have taken this one for dead: what it was given under that lock is lost.
        if ((answer.state === "dropped" && !left) || holding.lost.aborted)
          throw new ConnectionLost();
        older.pop();
        unanswered = false;
        return { answer, holding };
      });
    } catch (error) {
      if (unanswered) inBackground(withdraw(issues, older.splice(0)));
      throw notCoordinated(error);
    } finally {
      for (const holding of older) presence.release(holding);
    }
  }

  /**
   * The caller was refused, but an earlier issue may have been granted, and would stay under locks that the tab keeps for
   * its other calls. So the call is issued until it is answered, and what it is granted is given back.
   */
  async function withdraw(issued: number, older: readonly Holding[]): Promise<void> {
    left = true;
    let attempt = issued;
    await persist(
      async () => {
        presence.renew();
        const holding = await presence.hold();
        try {
          const answer = await issue(attempt++, holding);
          if (answer.state === "granted") return await giveBack(id, answer, holding);
          presence.release(holding);
        } catch (error) {
          presence.release(holding);
          throw error;
        }
      },
      { clock, attempts: ATTEMPTS },
    );
    for (const holding of older) presence.release(holding);
  }

  return { id, answer: run(), leave };
}
