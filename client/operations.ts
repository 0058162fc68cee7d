import {
  OPERATION_STATES,
  type OperationInfo,
  type OperationPage,
  type OperationQuery,
  type ProfileOperations,
} from "../src/operations.js";
import type { CoordinatorApi, ListRequest, Reply } from "../worker/protocol.js";
import type { Link } from "./link.js";

/** What the operations of a profile need of its tab. */
export interface OperationsTab {
  readonly link: Link;
  /** Throws where calls can't be coordinated. */
  readonly usable: () => void;
}

/** The profile's operations, as one tab asks for them. */
export class TabOperations implements ProfileOperations {
  readonly #tab: OperationsTab;

  constructor(tab: OperationsTab) {
    this.#tab = tab;
  }

  async list(query: OperationQuery = {}): Promise<OperationPage> {
    const request = listRequest(query);
    return this.#ask((remote) => remote.list(request));
  }

  async get(
    key: string,
    { output = false }: { readonly output?: boolean | undefined } = {},
  ): Promise<OperationInfo | undefined> {
    checkText("key", key);
    const found = await this.#ask<OperationInfo | null>((remote) => remote.get(key, { output }));
    return found ?? undefined;
  }

  async #ask<Value>(request: (remote: CoordinatorApi) => Promise<Reply<Value>>): Promise<Value> {
    this.#tab.usable();
    return this.#tab.link.ask(request);
  }
}

/** The longest key, and the most operations in one answer. */
const [MAX_KEY, MAX_PAGE] = [1_024, 1_000];

function listRequest({ state, prefix = "", limit = 100, cursor }: OperationQuery): ListRequest {
  if (state !== undefined && !OPERATION_STATES.includes(state)) {
    throw new TypeError(`operations: \`state\` must be one of ${OPERATION_STATES.join(", ")}.`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw new TypeError(`operations: \`limit\` must be a whole number of 1 to ${MAX_PAGE}.`);
  }
  checkText("prefix", prefix, 0);
  if (cursor !== undefined) {
    checkText("cursor", cursor);
    if (!cursor.startsWith(prefix)) {
      throw new TypeError("operations: `cursor` must be that of an answer to the same query.");
    }
  }
  return { state, prefix, limit, cursor };
}

function checkText(name: string, value: unknown, min = 1): void {
  if (typeof value === "string" && value.length >= min && value.length <= MAX_KEY) return;
  throw new TypeError(`operations: \`${name}\` must be a text of ${min} to ${MAX_KEY} characters.`);
}
