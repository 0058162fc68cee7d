import type { Endpoint } from "comlink";
import { packed } from "./packets.js";

/**
 * A port that lets through only what this protocol's client sends: a call of one named method with plain values. Comlink
 * itself follows any path from the exposed object (`begin.constructor` is `Function`), sets properties and opens ports.
 */
export const guarded = (port: MessagePort, methods: readonly string[]): Endpoint =>
  packed(port, (message) => isCall(message, methods));

interface CallMessage {
  readonly type: unknown;
  readonly path: unknown;
  readonly argumentList: unknown;
}

function isCall(data: unknown, methods: readonly string[]): boolean {
  if (typeof data !== "object" || data === null) return false;
  const { type, path, argumentList } = data as Partial<CallMessage>;
  if (type === "RELEASE") return true;
  return (
    type === "APPLY" &&
    Array.isArray(path) &&
    path.length === 1 &&
    methods.includes(path[0]) &&
    Array.isArray(argumentList) &&
    argumentList.every((argument) => argument?.type === "RAW")
  );
}
