import type { IncomingMessage } from "node:http";
import type { FaultSettings } from "./api.js";
import type { Attempt } from "./cancel.js";
import { RequestError } from "./http.js";
import { DEFAULT_ORDER_COUNT } from "./seed.js";

const KEY_LIMIT = 1_024;
/** A row of a Postgres index holds 2,704 bytes. */
const KEY_BYTES_LIMIT = 2_560;

/** The settings that a change of faults names. */
export function readFaults(body: unknown): Partial<FaultSettings> {
  const changes: { -readonly [Name in keyof FaultSettings]?: FaultSettings[Name] } = {};
  for (const [name, value] of Object.entries(readObject(body))) {
    if (name === "answers" && isOneOf(["normal", "lost", "delayed", "held", "failed"], value)) {
      changes.answers = value;
    } else if (name === "delayMs" && isIntegerIn(0, 60_000, value)) {
      changes.delayMs = value;
    } else if (name === "receipts" && isOneOf(["normal", "unreadable"], value)) {
      changes.receipts = value;
    } else if (name === "deduplicate" && typeof value === "boolean") {
      changes.deduplicate = value;
    } else {
      throw invalid(`"${name}" is not a setting or does not have that value.`);
    }
  }
  return changes;
}

/** How many orders a reset is to write. */
export function readOrderCount(body: unknown): number {
  const { orders = DEFAULT_ORDER_COUNT } = body === undefined ? {} : readObject(body);
  if (!isIntegerIn(1, 1_000, orders)) throw invalid("orders must be an integer from 1 to 1000.");
  return orders;
}

export function readLookup(body: unknown): { operationKey: string; throughFence: number } {
  const { operationKey, throughFence } = readObject(body);
  if (typeof operationKey !== "string") throw invalid("operationKey must be a text.");
  if (!isIntegerIn(0, Number.MAX_SAFE_INTEGER, throughFence)) {
    throw invalid("throughFence must be an integer from 0.");
  }
  return { operationKey: checkKey("operationKey", operationKey), throughFence };
}

/** One attempt to cancel an order, from the request's headers. */
export function readAttempt(orderId: string, request: IncomingMessage): Attempt {
  const encodedKey = readHeader(request, "Idempotency-Key");
  if (encodedKey === undefined) throw invalid("The header Idempotency-Key is missing.");
  const operationKey = checkKey("Idempotency-Key", decodeKey(encodedKey));

  const requestId = readHeader(request, "X-Request-Id");
  if (requestId === undefined) throw invalid("The header X-Request-Id is missing.");
  if (!/^[\w.:-]{1,200}$/.test(requestId)) {
    throw invalid("X-Request-Id must be 1 to 200 letters, digits or any of . _ : -");
  }

  const fence = readHeader(request, "X-Fence") ?? null;
  if (fence === null) return { operationKey, orderId, requestId, fence };
  if (!/^\d{1,16}$/.test(fence) || !Number.isSafeInteger(Number(fence))) {
    throw invalid("X-Fence must be an integer from 0.");
  }
  return { operationKey, orderId, requestId, fence: Number(fence) };
}

/** A text that Postgres can compare: it has no NUL. */
export function readPrefix(query: URLSearchParams): string {
  const prefix = query.get("prefix") ?? "";
  if (prefix.includes("\0")) throw invalid("prefix must not contain NUL.");
  return prefix;
}

function readHeader(request: IncomingMessage, name: string): string | undefined {
  const values = request.headersDistinct[name.toLowerCase()] ?? [];
  if (values.length > 1) throw invalid(`The header ${name} must be sent once.`);
  return values[0];
}

function decodeKey(encoded: string): string {
  try {
    if (/^[\x20-\x7e]*$/.test(encoded)) return decodeURIComponent(encoded);
  } catch {
    // Malformed: the same refusal as for bytes that are not encoded at all.
  }
  throw invalid("Idempotency-Key must be percent-encoded UTF-8.");
}

function checkKey(name: string, key: string): string {
  if (key === "" || key.length > KEY_LIMIT || Buffer.byteLength(key) > KEY_BYTES_LIMIT) {
    throw invalid(
      `${name} must be 1 to ${KEY_LIMIT} characters, ${KEY_BYTES_LIMIT} bytes at most.`,
    );
  }
  if (key.includes("\0") || /\p{Surrogate}/u.test(key)) {
    throw invalid(`${name} must be well-formed text without NUL.`);
  }
  return key;
}

function readObject(body: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(body)) throw invalid("The body must be a JSON object.");
  return body;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOneOf<const T>(values: readonly T[], value: unknown): value is T {
  return values.some((candidate) => candidate === value);
}

function isIntegerIn(min: number, max: number, value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max;
}

function invalid(message: string): RequestError {
  return new RequestError(400, "invalid_request", message);
}
