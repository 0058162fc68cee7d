import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createOpenTelemetryObserver } from "../../../src/opentelemetry/index.js";

/** The real SDK, exporting to memory. */
export function openSdk() {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spans)],
  });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  // Exports when it is told to: the interval is that of the default, a minute.
  const reader = new PeriodicExportingMetricReader({ exporter });
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    observe: createOpenTelemetryObserver({
      tracer: tracerProvider.getTracer("test"),
      meter: meterProvider.getMeter("test"),
    }),
    spans: () => spans.getFinishedSpans(),
    /** What was measured, by the instrument's name. */
    async metrics() {
      await reader.forceFlush();
      const latest = exporter.getMetrics().at(-1)?.scopeMetrics ?? [];
      const found = latest.flatMap(({ metrics }) => metrics);
      return Object.fromEntries(
        found.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ attributes, value }) => ({ attributes, value, unit: descriptor.unit })),
        ]),
      );
    },
    close: () => Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]),
  };
}
