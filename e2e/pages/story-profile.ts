import type { ActivityReport, ProfileActivity } from "signett";
import type { InspectedProfile } from "signett/inspector";
import { MemoryIdempotencyStore, MemoryOperationJournal } from "signett/testing";
import type { StoryCall } from "./story-calls.js";
import { storyOperations } from "./story-operations.js";

/** What the tabs of the story report, in the order in which it happened. */
function reportsOf(calls: readonly StoryCall[], now: number): readonly ActivityReport[] {
  return calls
    .flatMap(({ tab, tool, key, began, stages, error }, index) =>
      Object.entries(stages).map(
        ([stage, durationMs]): ActivityReport => ({
          tab,
          ...(key !== undefined && { key }),
          event: {
            invocationId: `call-${index}`,
            name: tool,
            stage: stage as ActivityReport["event"]["stage"],
            timestamp: now - began + durationMs,
            durationMs,
            ...(error && { error }),
          },
        }),
      ),
    )
    .sort((a, b) => a.event.timestamp - b.event.timestamp);
}

/** A profile whose tabs do what the story says. */
export function storyProfile(calls: readonly StoryCall[]): InspectedProfile {
  const activity: ProfileActivity = {
    tab: "A",
    publish() {},
    subscribe(watcher) {
      for (const report of reportsOf(calls, Date.now())) watcher(report);
      return () => {};
    },
  };
  return {
    mode: "shared",
    idempotency: new MemoryIdempotencyStore(),
    journal: new MemoryOperationJournal(),
    activity,
    operations: storyOperations,
    health: async () => ({
      worker: { instance: "4f6c2d1e-8a30-4b7e-9d55-0c1f7e2ab914", build: "0.1.0" },
      durability: "strict",
      counts: { claimed: 2, completed: 2, in_doubt: 1, not_applied: 0 },
      usage: 1_468_006,
      quota: 10_737_418_240,
      persisted: false,
    }),
  };
}
