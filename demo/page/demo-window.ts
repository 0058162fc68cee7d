import type { LifecycleEvent } from "signett";

declare global {
  interface Window {
    /** For tests and for the curious: this tab's name and its latest lifecycle events, oldest first. */
    signettDemo: { readonly events: LifecycleEvent[]; readonly tab: string };
  }
}

const KEPT = 1_000;

/** Puts the record on the window and returns what adds to it. */
export function recordEvents(tab: string): (event: LifecycleEvent) => void {
  const events: LifecycleEvent[] = [];
  window.signettDemo = { events, tab };
  return (event) => {
    events.push(event);
    if (events.length > KEPT) events.shift();
  };
}
