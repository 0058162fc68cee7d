import type { Codec } from "../../client/codec.js";
import type { Connecting } from "./plan.js";

const KEYS = { own: 0x5a, lost: 0x7f } as const;

/** A tab's codec, which takes its time. */
export function codecOf(kind: Connecting["codec"], turn: () => Promise<void>): Codec | undefined {
  if (kind === "none") return undefined;
  const mask = (bytes: Uint8Array) => bytes.map((byte) => byte ^ KEYS[kind]);
  return {
    async encode(data) {
      await turn();
      return mask(new TextEncoder().encode(JSON.stringify(data)));
    },
    async decode(bytes) {
      await turn();
      // What was masked with another key is no JSON.
      return JSON.parse(new TextDecoder().decode(mask(bytes)));
    },
  };
}

/** What a tab has stored, whichever codec it has. */
export function decoded(stored: unknown): unknown {
  const [bytes] = Object.values(Object(stored));
  if (!(bytes instanceof Uint8Array)) return stored;
  const texts = Object.values(KEYS).map((key) => text(bytes, key));
  // Both keys are known: of masked JSON only its own gives an object.
  return JSON.parse(texts.find((candidate) => candidate.startsWith("{")) ?? "null");
}

const text = (bytes: Uint8Array, key: number): string =>
  new TextDecoder().decode(bytes.map((byte) => byte ^ key));
