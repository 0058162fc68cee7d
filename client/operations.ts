import { OperationNotInDoubtError } from "../src/operation-errors.js";
import {
  OPERATION_STATES,
  type OperationInfo,
  type OperationPage,
  type OperationQuery,
  type OperationResolution,
  type ProfileOperations,
  type PurgeResult,
} from "../src/operations.js";
import { jsonCopy } from "../src/output.js";
import { notCoordinated } from "../src/uncoordinated.js";
import type {
  CoordinatorApi,
  ListRequest,
  PurgeReport,
  PurgeTarget,
  Reply,
  ResolveAnswer,
} from "../worker/protocol.js";
import type { Changes } from "./changes.js";
import type { Coder } from "./codec.js";
import type { Link } from "./link.js";

/** What the operations of a profile need of its tab. */
export interface OperationsTab {
  readonly link: Link;
  readonly changes: Changes;
  readonly coder: Coder;
  readonly newId: () => string;
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
    if (!found) return undefined;
    if (!("output" in found)) return found;
    return { ...found, output: await this.#tab.coder.decode(found.output) };
  }

  subscribe(listener: () => void): () => void {
    return this.#tab.changes.subscribe(listener);
  }

  async resolve(
    key: string,
    given: OperationResolution,
    { label, fence }: Parameters<ProfileOperations["resolve"]>[2] = {},
  ): Promise<void> {
    checkText("key", key);
    if (label !== undefined) checkText("label", label, { max: MAX_LABEL });
    const resolution = await this.#encoded(resolutionOf(given));
    const request = { resolution, label, fence, id: this.#tab.newId() };
    const answer = await this.#ask<ResolveAnswer>((remote) => remote.resolve(key, request));
    if (answer.state === "refused") throw new OperationNotInDoubtError(answer.found);
  }

  async purge(
    target: { readonly key: string } | { readonly prefix: string },
    { inDoubt = false }: { readonly inDoubt?: boolean | undefined } = {},
  ): Promise<PurgeResult> {
    let rest: PurgeTarget | undefined = targetOf(target);
    let purged = 0;
    const live: string[] = [];
    while (rest) {
      const step: PurgeReport = await this.#purgeSome(rest, inDoubt);
      purged += step.purged;
      live.push(...step.live);
      const { cursor } = step;
      rest = "prefix" in rest && cursor !== undefined ? { ...rest, after: cursor } : undefined;
    }
    return { purged, live };
  }

  #purgeSome(target: PurgeTarget, inDoubt: boolean): Promise<PurgeReport> {
    return this.#ask((remote) => remote.purge(target, { inDoubt }));
  }

  async #encoded(resolution: OperationResolution): Promise<OperationResolution> {
    if (resolution.outcome === "not_applied") return resolution;
    return { ...resolution, output: await this.#tab.coder.encode(resolution.output) };
  }

  async #ask<Value>(request: (remote: CoordinatorApi) => Promise<Reply<Value>>): Promise<Value> {
    this.#tab.usable();
    return this.#tab.link.ask(request).catch((error: unknown) => {
      throw notCoordinated(error);
    });
  }
}

/** The longest key and the longest label, in UTF-16 code units. */
const [MAX_KEY, MAX_LABEL] = [1_024, 200];
/** The most operations in one answer. */
const MAX_PAGE = 1_000;

function listRequest({ state, prefix = "", limit = 100, cursor }: OperationQuery): ListRequest {
  if (state !== undefined && !OPERATION_STATES.includes(state)) {
    throw new TypeError(`operations: \`state\` must be one of ${OPERATION_STATES.join(", ")}.`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw new TypeError(`operations: \`limit\` must be a whole number of 1 to ${MAX_PAGE}.`);
  }
  checkText("prefix", prefix, { min: 0 });
  if (cursor !== undefined) {
    checkText("cursor", cursor);
    if (!cursor.startsWith(prefix)) {
      throw new TypeError("operations: `cursor` must be that of an answer to the same query.");
    }
  }
  return { state, prefix, limit, cursor };
}

function resolutionOf(given: OperationResolution): OperationResolution {
  switch (given.outcome) {
    case "completed":
      return { outcome: "completed", output: jsonCopy(given.output) };
    case "not_applied":
      return { outcome: "not_applied" };
    default:
      given satisfies never;
      throw new TypeError('operations: `outcome` must be "completed" or "not_applied".');
  }
}

/** Never more than was meant: a target that names neither purges nothing. */
function targetOf(target: { readonly key?: string; readonly prefix?: string }): PurgeTarget {
  const { key, prefix } = target;
  if (key !== undefined && prefix !== undefined) {
    throw new TypeError("operations: `purge` takes a key or a prefix, not both.");
  }
  if (key !== undefined) {
    checkText("key", key);
    return { key };
  }
  checkText("prefix", prefix, { min: 0 });
  return { prefix, after: undefined };
}

function checkText(
  name: string,
  value: unknown,
  { min = 1, max = MAX_KEY }: { readonly min?: number; readonly max?: number } = {},
): asserts value is string {
  if (typeof value === "string" && value.length >= min && value.length <= max) return;
  throw new TypeError(`operations: \`${name}\` must be a text of ${min} to ${max} characters.`);
}
