/**
 * `signett/opentelemetry`: lifecycle events as spans and metrics. It needs `@opentelemetry/api` and nothing else.
 *
 * @module
 */
export {
  createOpenTelemetryObserver,
  type OpenTelemetryObserverOptions,
} from "./observer.js";
