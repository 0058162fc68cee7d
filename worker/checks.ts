import type { BeginRequest, ClaimRef, Hello, Intent } from "./protocol.js";

/** A message that no client of this protocol sends. */
export class Refused extends Error {}

/** The longest idempotency key, in UTF-16 code units. */
const MAX_KEY = 1_024;
/** The longest of the other texts: ids, digests, tool names. */
const MAX_TEXT = 2_048;

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

function count(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw new Refused(`${what} must be a whole number.`);
  return Number(value);
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
    };
  },
  key: (value: unknown): string => text(value, "key", MAX_KEY),
  call: (value: unknown): string => text(value, "call"),
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
  abandon: (value: unknown): { executed: boolean } => ({
    executed: flag(fieldsOf(value, "abandon").executed, "executed"),
  }),
};
