import { CoordinationUnavailableError } from "../src/errors.js";
import type { Failure } from "../worker/protocol.js";

const RELOAD =
  "Nothing was executed by this call. Reload the page and repeat it with the same key.";

/** A request was not answered because its worker is gone. Whether it was carried out is not known. */
export class ConnectionLost extends Error {}

/** Rebuilds what a worker reported. A storage failure is a `DOMException` again, with its name. */
export function rebuilt(failure: Failure): Error {
  switch (failure.kind) {
    case "storage":
      return new DOMException(failure.message, failure.name);
    case "refused":
      return new CoordinationUnavailableError({
        what: `The coordination worker refused this page's message: ${failure.message}`,
        next: RELOAD,
      });
    case "unknown_session":
    case "unknown_call":
      return new ConnectionLost();
    default:
      return failure satisfies never;
  }
}

/** Neither the worker nor the code that replaces it could be started, as in an old tab after a deployment. */
export function notCoordinating(worker: Error, inPage: unknown): CoordinationUnavailableError {
  return new CoordinationUnavailableError({
    what: `Calls can't be coordinated: ${worker.message}, and what replaces it could not be loaded.`,
    next: "Nothing was executed. Reload the page, then repeat the call with the same key.",
    cause: new AggregateError([worker, inPage]),
  });
}

/** The worker goes away again and again. */
export function unstable(): CoordinationUnavailableError {
  return new CoordinationUnavailableError({
    what: "The coordination worker was lost several times during one request.",
    next: RELOAD,
  });
}

/** The profile was disposed. */
export function disposed(): CoordinationUnavailableError {
  return new CoordinationUnavailableError({
    what: "This profile is disposed.",
    next: "Nothing was executed. Connect the profile again with connectProfile().",
  });
}
