import type { EffectLog, FaultStatus, Order } from "../server/api.js";
import type { Operation } from "./answers.js";
import type { Api } from "./api.js";
import type { LatestOperation } from "./latest-operation.js";
import { accountId } from "./session.js";
import { createStore, type Store } from "./store.js";

/** An operation, and how many effects of it the database has. */
export interface CountedOperation extends Operation {
  readonly effects: number;
}

/** What the server last said. A field is absent until it has been read once. */
export interface ServerState {
  readonly orders?: readonly Order[];
  readonly effects?: EffectLog;
  readonly faults?: FaultStatus;
  readonly latest?: CountedOperation;
  /** The last refresh failed; what is shown may be out of date. */
  readonly unreachable: boolean;
}

export interface ServerStateOptions {
  readonly api: Api;
  readonly latest: LatestOperation;
}

/** When to look for what nobody will tell: what a tab sent before it closed may arrive a moment later. */
const LATER_MS = [1_000, 3_000, 6_000];

/** The server's state, read again on demand. */
export function createServerState({ api, latest }: ServerStateOptions): {
  readonly state: Store<ServerState>;
  /** Requests that come while it reads become one more read; a hidden tab reads when it is shown. */
  refresh(): void;
  /** Reads now, and a few times more in the next seconds. */
  refreshForAWhile(): void;
} {
  const state = createStore<ServerState>({ unreachable: false });
  let reading = false;
  let wanted = false;

  async function read(): Promise<ServerState> {
    const [orders, effects, faults] = await Promise.all([
      api.listOrders(),
      api.listEffects(),
      api.getFaults(),
    ]);
    latest.applied(effects.effects[0]);
    const operation = latest.get();
    const counted = operation && { latest: await countEffects(operation) };
    return { orders, effects, faults, unreachable: false, ...counted };
  }

  async function countEffects(operation: Operation): Promise<CountedOperation> {
    const { orderId, operationId } = operation;
    const { total } = await api.listEffects(`${accountId}:${operationId}:${orderId}:`);
    return { ...operation, effects: total };
  }

  async function refresh(): Promise<void> {
    wanted = true;
    if (reading || document.visibilityState === "hidden") return;
    reading = true;
    while (wanted) {
      wanted = false;
      state.set(await read().catch(() => ({ ...state.get(), unreachable: true })));
    }
    reading = false;
  }

  document.addEventListener("visibilitychange", () => {
    if (wanted) refresh();
  });
  return {
    state,
    refresh,
    refreshForAWhile() {
      refresh();
      for (const delay of LATER_MS) setTimeout(refresh, delay);
    },
  };
}
