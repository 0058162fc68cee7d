import type { IdempotencyStore } from "../contracts.js";
import { Deadline } from "./conformance/deadline.js";
import type { ConformanceReport } from "./conformance/report.js";
import { runChecks } from "./conformance/run-checks.js";
import { dying } from "./conformance/store-dying.js";
import { intents } from "./conformance/store-intents.js";
import { leaving } from "./conformance/store-leaving.js";
import { owning } from "./conformance/store-owning.js";
import { recovering } from "./conformance/store-recovering.js";
import { settling } from "./conformance/store-settling.js";
import { waiting } from "./conformance/store-waiting.js";
import { type StoreSpace, StoreWorld } from "./conformance/store-world.js";

/** Options of {@link checkIdempotencyStore}. */
export interface StoreCheckOptions {
  /**
   * How long the store may take for one call, in milliseconds, before the check that made it fails. Default 2,000. It is
   * also waited for once when the store never calls `onWait`.
   */
  readonly timeoutMs?: number;
  /** The store compares tools and fingerprints. `false` skips the checks of it. Default `true`. */
  readonly intents?: boolean;
}

/**
 * Proves that a store keeps the contract of {@link IdempotencyStore}: owners, waiters, settlements, aborts, fences,
 * takeovers and crashes, in three tabs at once. Each check has a space of its own.
 *
 * Without any test framework: it resolves with the checks that passed and those that were skipped because the store openly
 * lacks an optional feature: `start`, fences, `onWait`, memory of the earlier owner, or a `crash` of its space.
 *
 * @param create Makes an empty space, and is called once a check.
 * @throws {ConformanceError} that lists every check that failed, by name and reason.
 */
export async function checkIdempotencyStore<Store extends IdempotencyStore>(
  create: () => Promise<StoreSpace<Store>> | StoreSpace<Store>,
  { timeoutMs = 2_000, intents: comparesIntents = true }: StoreCheckOptions = {},
): Promise<ConformanceReport> {
  const deadline = new Deadline(timeoutMs);
  const notices = await givesNotices(create, deadline);
  const report = await runChecks("idempotency store", checksOf(comparesIntents), async () => {
    const world = new StoreWorld(await create(), { deadline, notices });
    return { world, close: () => world.close() };
  });
  if (comparesIntents) return report;
  const reason = "`intents` is false";
  return {
    ...report,
    skipped: [...report.skipped, ...intents.map(({ name }) => ({ name, reason }))],
  };
}

const checksOf = (comparesIntents: boolean) => [
  ...owning,
  ...waiting,
  ...leaving,
  ...settling,
  ...recovering,
  ...(comparesIntents ? intents : []),
  ...dying,
];

/** Whether waiting calls are told so. A fault that shows here is left to the checks. */
async function givesNotices<Store extends IdempotencyStore>(
  create: () => Promise<StoreSpace<Store>> | StoreSpace<Store>,
  deadline: Deadline,
): Promise<boolean> {
  const world = new StoreWorld(await create(), { deadline, notices: false });
  try {
    const [owner, other] = await world.tabs();
    await owner.own("key");
    return await other.call("key").waits();
  } catch {
    return false;
  } finally {
    await world.close();
  }
}
