import { jsonCopy } from "./output.js";

/** JSON text in the canonical form of RFC 8785: no white space, keys in the order of their UTF-16 code units. */
export function canonicalJson(data: unknown): string {
  if (Array.isArray(data)) return `[${data.map(canonicalJson).join()}]`;
  if (typeof data !== "object" || data === null) return JSON.stringify(data) ?? "";
  const entries = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${canonicalJson(value)}`).join()}}`;
}

/**
 * A digest of an intent: SHA-256 over its canonical JSON, in hexadecimal.
 * @throws {OutputError} if the intent is no JSON data.
 */
export async function fingerprintOf(intent: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(jsonCopy(intent)));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
