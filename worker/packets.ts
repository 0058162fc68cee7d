import type { Endpoint } from "comlink";

/** A port whose messages of one moment travel together. */
export interface PackedPort extends Endpoint {
  /** Sends what is waiting, as it must before the port is closed. */
  flush(): void;
}

/**
 * Packs what is posted in one moment: the way between two threads costs far more than what travels on it. The first message
 * goes at once and as it is, and what follows it in the same moment goes together. After a moment that had several, the next
 * moment's first waits for the others.
 *
 * @param accepts Whether a message that arrives is passed on. Default: all are.
 */
export function packed(
  port: MessagePort,
  accepts: (message: unknown) => boolean = () => true,
): PackedPort {
  const listeners = new Map<EventListenerOrEventListenerObject, EventListener>();
  /** What waits for the end of the present moment. */
  let packet: unknown[] | undefined;
  /** The last moment had more than one message. */
  let several = false;

  function flush(): void {
    if (!packet) return;
    const messages = packet;
    packet = undefined;
    if (messages.length > 0) port.postMessage(messages);
    several = messages.length > (several ? 1 : 0);
  }
  return {
    flush,
    start: () => port.start(),
    postMessage(message) {
      // Copied now: what can't be is an error of this message's sender, and not of those that it would have travelled with.
      const copies = packet || several ? [structuredClone(message)] : [];
      if (copies.length === 0) port.postMessage(message);
      if (!packet) queueMicrotask(flush);
      packet ??= [];
      packet.push(...copies);
    },
    addEventListener(type, listener) {
      const unpack: EventListener = (event) => {
        if (!(event instanceof MessageEvent)) return;
        if (!Array.isArray(event.data)) {
          if (accepts(event.data)) tell(listener, event);
          return;
        }
        for (const data of event.data) {
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
