import type { Answer, Request } from "./answers.js";
import type { Tab, TabCall } from "./progress.js";

/** What the demo's tabs tell each other. Nothing here takes part in coordinating the tools. */
type Message =
  /** A tab is new, or looks again who is there: everyone answers with `here`. */
  | { readonly type: "hello"; readonly tab: Tab }
  | { readonly type: "here"; readonly tab: Tab }
  | { readonly type: "bye"; readonly tabId: string }
  /** A call in that tab made progress. */
  | { readonly type: "progress"; readonly tabId: string; readonly call: TabCall }
  /** Every tab is to call its own tool now. */
  | { readonly type: "request"; readonly request: Request }
  | { readonly type: "cancel"; readonly requestId: string }
  | { readonly type: "answer"; readonly answer: Answer }
  /** A tab is back and may have missed answers: everyone repeats its own. */
  | { readonly type: "repeat" }
  /** The server's switches were turned, or its data was reset. */
  | { readonly type: "server"; readonly change: "faults" | "reset" };

/** A broadcast channel that is closed while the page is not shown, so that the page can be cached. */
export interface Channel {
  post(message: Message): void;
  subscribe(listener: (message: Message) => void): void;
  /** Tells when the page is back from the back/forward cache. */
  onReopened(listener: () => void): void;
}

export interface ChannelOptions {
  readonly name: string;
  /** Called before the channel closes: the page goes away, or into the back/forward cache. */
  readonly closing: (post: (message: Message) => void) => void;
}

export function openChannel({ name, closing }: ChannelOptions): Channel {
  const listeners: ((message: Message) => void)[] = [];
  const reopenedListeners: (() => void)[] = [];
  let channel: BroadcastChannel | undefined;

  const post = (message: Message) => channel?.postMessage(message);
  const open = () => {
    channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      for (const listener of listeners) listener(data);
    };
  };

  open();
  addEventListener("pagehide", () => {
    closing(post);
    channel?.close();
    channel = undefined;
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    open();
    for (const listener of reopenedListeners) listener();
  });
  return {
    post,
    subscribe: (listener) => void listeners.push(listener),
    onReopened: (listener) => void reopenedListeners.push(listener),
  };
}
