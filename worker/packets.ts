import type { Endpoint } from "comlink";

/** A port whose messages of one moment travel together. */
export interface PackedPort extends Endpoint {
  /** Sends what is waiting, as it must before the port is closed. */
  flush(): void;
}

/**
 * Packs what is posted in one moment into one message: the way between two threads costs far more than what travels on it. A
 * message alone is sent as it is.
 *
 * @param accepts Whether a message that arrives is passed on. Default: all are.
 */
export function packed(
  port: MessagePort,
  accepts: (message: unknown) => boolean = () => true,
): PackedPort {
  const listeners = new Map<EventListenerOrEventListenerObject, EventListener>();
  let packet: unknown[] = [];

  function flush(): void {
    const messages = packet;
    packet = [];
    if (messages.length > 0) port.postMessage(messages.length === 1 ? messages[0] : messages);
  }
  return {
    flush,
    start: () => port.start(),
    postMessage(message) {
      // Copied now: what can't be is an error of this message's sender, and not of those it would have travelled with.
      const copy: unknown = structuredClone(message);
      if (packet.push(copy) === 1) queueMicrotask(flush);
    },
    addEventListener(type, listener) {
      const unpack: EventListener = (event) => {
        if (!(event instanceof MessageEvent)) return;
        for (const data of Array.isArray(event.data) ? event.data : [event.data]) {
          if (accepts(data)) tell(listener, new MessageEvent(type, { data }));
        }
      };
      listeners.set(listener, unpack);
      port.addEventListener(type, unpack);
    },
    removeEventListener(type, listener) {
      const unpack = listeners.get(listener);
      if (unpack) port.removeEventListener(type, unpack);
      listeners.delete(listener);
    },
  };
}

function tell(listener: EventListenerOrEventListenerObject, event: Event): void {
  if (typeof listener === "function") listener(event);
  else listener.handleEvent(event);
}
