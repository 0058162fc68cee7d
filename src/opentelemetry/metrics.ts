import type { Attributes, Meter } from "@opentelemetry/api";
import type { LifecycleEvent } from "../events.js";
import type { CallTimes } from "./call-times.js";

/** The boundaries that the conventions advise for durations of generative AI, in seconds. */
const SECONDS = [
  ...[0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28],
  ...[2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
];

/** Makes the instruments, and gives what records a call that has ended. */
export function recorderOf(meter: Meter) {
  const histogram = (name: string, description: string) =>
    meter.createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: SECONDS },
    });
  const calls = meter.createCounter("signett.calls", {
    description: "Calls that have ended.",
    unit: "{call}",
  });
  const duration = histogram(
    "gen_ai.execute_tool.duration",
    "Calls from their start to their end.",
  );
  const wait = histogram("signett.wait.duration", "Waiting for another call with the same key.");
  const execution = histogram("signett.execution.duration", "Handlers that returned.");

  return ({ name, durationMs }: LifecycleEvent, times: CallTimes, ended: Attributes): void => {
    const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name };
    const attributes = { ...tool, ...ended };
    calls.add(1, attributes);
    duration.record(durationMs / 1_000, attributes);
    if (times.waitMs !== undefined) wait.record(times.waitMs / 1_000, attributes);
    if (times.executionMs !== undefined) execution.record(times.executionMs / 1_000, tool);
  };
}
