import type { Effect } from "../server/api.js";
import { type Operation, operationOf, type Request } from "./answers.js";
import { accountId } from "./session.js";

/** The operation that the page counts: the one that was asked for, or applied, last. */
export interface LatestOperation {
  get(): Operation | undefined;
  /** The latest request that someone made with the page. */
  asked(request: Request): void;
  /** The newest row of the database's log. An agent outside the page may be behind it. */
  applied(newest: Effect | undefined): void;
  /** The demo was reset. */
  clear(): void;
}

export function createLatestOperation(): LatestOperation {
  let latest: Operation | undefined;
  let seenRequest: string | undefined;
  let seenKey: string | undefined;
  return {
    get: () => latest,
    asked(request) {
      if (request.id !== seenRequest) latest = operationOf(request) ?? latest;
      seenRequest = request.id;
    },
    applied(newest) {
      if (newest && newest.operationKey !== seenKey) latest = operationBehind(newest) ?? latest;
      seenKey = newest?.operationKey;
    },
    clear() {
      latest = undefined;
    },
  };
}

/** Takes a key of `cancel_order` apart. */
function operationBehind({ operationKey, orderId }: Effect): Operation | undefined {
  const start = `${accountId}:`;
  const end = `:${orderId}:cancel_order`;
  if (!operationKey.startsWith(start) || !operationKey.endsWith(end)) return undefined;
  return { orderId, operationId: operationKey.slice(start.length, -end.length) };
}
