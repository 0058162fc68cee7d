import type { Endpoint } from "comlink";

/**
 * A port that lets through only what this protocol's client sends: a call of one named method with plain values. Comlink
 * itself follows any path from the exposed object (`begin.constructor` is `Function`), sets properties and opens ports.
 */
export function guarded(port: MessagePort, methods: readonly string[]): Endpoint {
  const guards = new Map<EventListenerOrEventListenerObject, EventListener>();
  return {
    postMessage: (message, transfer) => port.postMessage(message, transfer ?? []),
    addEventListener(type, listener) {
      const guard: EventListener = (event) => {
        if (event instanceof MessageEvent && !isCall(event.data, methods)) return;
        if (typeof listener === "function") listener(event);
        else listener.handleEvent(event);
      };
      guards.set(listener, guard);
      port.addEventListener(type, guard);
    },
    removeEventListener(type, listener) {
      const guard = guards.get(listener);
      if (guard) port.removeEventListener(type, guard);
      guards.delete(listener);
    },
    start: () => port.start(),
  };
}

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
