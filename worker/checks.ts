import { OPERATION_STATES, type OperationState } from "../src/operations.js";
import type {
  BeginRequest,
  ClaimRef,
  Hello,
  Intent,
  ListRequest,
  PurgeTarget,
  Resolution,
  ResolveRequest,
  Revision,
  Terms,
} from "./protocol.js";
import { isWithin } from "./size.js";

/** A message that no client of this protocol sends. */
export class Refused extends Error {}

/** The longest idempotency key, in UTF-16 code units. */
const MAX_KEY = 1_024;
/** The most operations in one answer. */
const MAX_PAGE = 1_000;
/** The longest label of a review. */
const MAX_LABEL = 200;
/** The longest of the other texts: ids, digests, tool names. */
const MAX_TEXT = 2_048;
/** The largest output or journal entry, as {@link isWithin} counts. */
const MAX_VALUE = 4 * 1_024 * 1_024;
/** The most locks that one tab is thought to have open work under. */
const MAX_OWNERS = 1_000;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null) throw new Refused(`${what} must be an object.`);
  return value as Fields;
}

function text(value: unknown, what: string, max = MAX_TEXT, min = 1): string {
  if (typeof value !== "string" || value.length < min || value.length > max)
    throw new Refused(`${what} must be a text of ${min} to ${max} characters.`);
  return value;
}

const optionalText = (value: unknown, what: string): string | undefined =>
  value === undefined ? undefined : text(value, what);

function count(value: unknown, what: string, max = Number.MAX_SAFE_INTEGER, min = 0): number {
  if (!Number.isSafeInteger(value) || Number(value) < min || Number(value) > max)
    throw new Refused(`${what} must be a whole number of ${min} to ${max}.`);
  return Number(value);
}

function terms(value: unknown): Terms {
  const { durability, completedMs, maxCompleted } = fieldsOf(value, "terms");
  if (durability !== "strict" && durability !== "relaxed")
    throw new Refused("durability must be strict or relaxed.");
  return {
    durability,
    completedMs: count(completedMs, "completedMs"),
    maxCompleted: count(maxCompleted, "maxCompleted"),
  };
}

function resolution(value: unknown): Resolution {
  const { outcome, output } = fieldsOf(value, "resolution");
  if (outcome === "completed") return { outcome, output: checked.value(output, "The output") };
  if (outcome === "not_applied") return { outcome };
  throw new Refused("resolution.outcome must be completed or not_applied.");
}

function state(value: unknown): OperationState {
  const found = OPERATION_STATES.find((known) => known === value);
  if (found === undefined)
    throw new Refused(`state must be one of ${OPERATION_STATES.join(", ")}.`);
  return found;
}

/** A cursor is the last key of a page, so it begins with the prefix too. */
function cursorOf(value: unknown, prefix: string): string {
  const cursor = checked.key(value, "cursor");
  if (!cursor.startsWith(prefix)) throw new Refused("cursor must be of an answer to this query.");
  return cursor;
}

function flag(value: unknown, what: string): boolean {
  if (typeof value !== "boolean") throw new Refused(`${what} must be true or false.`);
  return value;
}

/** Each check gives a copy that holds the known fields and nothing else. */
export const checked = {
  hello(value: unknown): Hello {
    const hello = fieldsOf(value, "hello");
    return {
      protocol: count(hello.protocol, "protocol"),
      namespace: text(hello.namespace, "namespace", 200),
      terms: terms(hello.terms),
    };
  },
  key: (value: unknown, what = "key"): string => text(value, what, MAX_KEY),
  fence: (value: unknown): number => count(value, "fence"),
  call: (value: unknown): string => text(value, "call"),
  owners(value: unknown): string[] {
    if (!Array.isArray(value) || value.length > MAX_OWNERS)
      throw new Refused(`owners must be a list of at most ${MAX_OWNERS}.`);
    return value.map((owner) => text(owner, "owners"));
  },
  begin(value: unknown): BeginRequest {
    const request = fieldsOf(value, "begin");
    return {
      key: checked.key(request.key),
      tool: text(request.tool, "tool", MAX_TEXT, 0),
      fingerprint: optionalText(request.fingerprint, "fingerprint"),
      journalKey: optionalText(request.journalKey, "journalKey"),
      call: checked.call(request.call),
      attempt: count(request.attempt, "attempt"),
      owner: text(request.owner, "owner"),
      reserve: flag(request.reserve, "reserve"),
    };
  },
  claim(value: unknown): ClaimRef {
    const claim = fieldsOf(value, "claim");
    return {
      key: checked.key(claim.key),
      fence: count(claim.fence, "fence"),
      call: checked.call(claim.call),
    };
  },
  /** An output or a journal entry. */
  value<Value>(value: Value, what: string): Value {
    if (isWithin(value, MAX_VALUE)) return value;
    throw new DOMException(
      `${what} has more than ${MAX_VALUE} characters: store what is large elsewhere, and its name here.`,
      "QuotaExceededError",
    );
  },
  intent(value: unknown): Intent {
    const intent = fieldsOf(value, "intent");
    return {
      key: checked.key(intent.key),
      tool: text(intent.tool, "tool", MAX_TEXT, 0),
      fingerprint: optionalText(intent.fingerprint, "fingerprint"),
    };
  },
  start(value: unknown): { fresh: boolean; journalKey: string | undefined } {
    const options = fieldsOf(value, "start");
    return {
      fresh: flag(options.fresh, "fresh"),
      journalKey: optionalText(options.journalKey, "journalKey"),
    };
  },
  list(value: unknown): ListRequest {
    const request = fieldsOf(value, "list");
    const prefix = text(request.prefix, "prefix", MAX_KEY, 0);
    const { cursor } = request;
    return {
      state: request.state === undefined ? undefined : state(request.state),
      prefix,
      limit: count(request.limit, "limit", MAX_PAGE, 1),
      cursor: cursor === undefined ? undefined : cursorOf(cursor, prefix),
    };
  },
  revision(value: unknown): Revision {
    const revision = fieldsOf(value, "since");
    return { count: count(revision.count, "count"), fence: count(revision.fence, "fence") };
  },
  resolve(value: unknown): ResolveRequest {
    const request = fieldsOf(value, "resolve");
    return {
      resolution: resolution(request.resolution),
      label: request.label === undefined ? undefined : text(request.label, "label", MAX_LABEL),
      fence: request.fence === undefined ? undefined : checked.fence(request.fence),
      id: text(request.id, "id"),
    };
  },
  purgeTarget(value: unknown): PurgeTarget {
    const target = fieldsOf(value, "target");
    if (target.prefix === undefined) return { key: checked.key(target.key) };
    const prefix = text(target.prefix, "prefix", MAX_KEY, 0);
    const { after } = target;
    return { prefix, after: after === undefined ? undefined : cursorOf(after, prefix) };
  },
  purge: (value: unknown): { inDoubt: boolean } => ({
    inDoubt: flag(fieldsOf(value, "purge").inDoubt, "inDoubt"),
  }),
  get: (value: unknown): { output: boolean } => ({
    output: flag(fieldsOf(value, "get").output, "output"),
  }),
  abandon: (value: unknown): { executed: boolean } => ({
    executed: flag(fieldsOf(value, "abandon").executed, "executed"),
  }),
};
