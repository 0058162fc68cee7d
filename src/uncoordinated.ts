import { CoordinationUnavailableError } from "./errors.js";

/** The browser, or this kind of page, lacks what coordination needs. */
export function missing(what: string): CoordinationUnavailableError {
  return new CoordinationUnavailableError({
    what: `Calls can't be coordinated: this page has no ${what}.`,
    next: "Nothing was executed. Use a current browser over https or on localhost, with site data allowed.",
  });
}

/** A call could not be given a key. Nothing was executed, so every cause has one class. */
export function notCoordinated(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  if (error.name === "VersionError") {
    return new CoordinationUnavailableError({
      what: "A newer version of this application has stored its operations here in a newer format.",
      next: "Nothing was read, written or executed. Reload the page to get the newer version.",
      cause: error,
    });
  }
  return new CoordinationUnavailableError({
    what: `The operation store can't be used (${error.name}: ${error.message})`,
    next: "Nothing was executed. Check that the site may store data and that the disk is not full, or restart the browser; then repeat the call with the same key.",
    cause: error,
  });
}
