import {
  type Attributes,
  type Meter,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { isEnd, type LifecycleEvent, type Observer } from "../events.js";
import { CallTimes } from "./call-times.js";
import { recorderOf } from "./metrics.js";

/** Options of {@link createOpenTelemetryObserver}. */
export interface OpenTelemetryObserverOptions {
  /** Default: the global provider's, under the name `signett`. */
  readonly tracer?: Tracer;
  /** Default: the global provider's, under the name `signett`. */
  readonly meter?: Meter;
}

/**
 * An observer that makes one span of each call, with its stages as events, and metrics (core concepts seed, "Observation").
 * Names are those of OpenTelemetry's conventions for generative AI, where they have one. No input, output, message, stack or
 * key is recorded.
 *
 * A span's parent is what is active when the call begins. Several interfaces can share an observer.
 */
export function createOpenTelemetryObserver({
  tracer = trace.getTracer("signett"),
  meter = metrics.getMeter("signett"),
}: OpenTelemetryObserverOptions = {}): Observer {
  const record = recorderOf(meter);
  const calls = new Map<string, { readonly span: Span; readonly times: CallTimes }>();

  return (event) => {
    const { invocationId, stage } = event;
    if (stage === "started") {
      calls.set(invocationId, { span: begin(tracer, event), times: new CallTimes(event) });
    }
    const call = calls.get(invocationId);
    // A registration, or a call that had begun before anybody looked.
    if (!call) return;
    const { span, times } = call;
    const now = times.reach(event);
    span.addEvent(stage, undefined, now);
    if (!isEnd(stage)) return;
    calls.delete(invocationId);
    const ended = endOf(event, times);
    span.setAttributes({ ...ended, ...facts(times) });
    if (stage !== "succeeded") span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(now);
    record(event, times, ended);
  };
}

function begin(tracer: Tracer, { invocationId, name, timestamp }: LifecycleEvent): Span {
  return tracer.startSpan(`execute_tool ${name}`, {
    kind: SpanKind.INTERNAL,
    startTime: timestamp,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
      "signett.invocation.id": invocationId,
    },
  });
}

/** How the call ended, in words of which there are few. */
function endOf({ stage, error }: LifecycleEvent, times: CallTimes): Attributes {
  return {
    "signett.outcome": times.has("declined") ? "declined" : (OUTCOMES[stage] ?? "failed"),
    "signett.replayed": times.has("replayed"),
    "signett.recovered": times.has("recovered"),
    ...(error && { "error.type": error.code ?? error.name }),
  };
}

const OUTCOMES: { readonly [Stage in LifecycleEvent["stage"]]?: string } = {
  succeeded: "succeeded",
  outcome_unknown: "unknown",
};

function facts(times: CallTimes): Attributes {
  const { waitMs, executionMs } = times;
  return {
    "signett.verified": times.has("verified"),
    ...(waitMs !== undefined && { "signett.wait.duration": waitMs / 1_000 }),
    ...(executionMs !== undefined && { "signett.execution.duration": executionMs / 1_000 }),
  };
}
