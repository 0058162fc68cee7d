import { type ScriptUrls, shared } from "../src/shared.js";

/** Starts the worker whose script lies beside the library. */
export function defaultWorker(name: string): globalThis.SharedWorker {
  // Bundlers look for the words of the last line, so what satisfies Trusted Types has to bear the global's name.
  class SharedWorker extends globalThis.SharedWorker {
    constructor(url: URL, options: WorkerOptions) {
      super(trusted(url), options);
    }
  }
  return new SharedWorker(new URL("./worker.js", import.meta.url), { type: "module", name });
}

/** What `require-trusted-types-for 'script'` wants in place of a URL. */
function trusted(url: URL): URL {
  const document = shared();
  document.scriptUrls ??= scriptUrls();
  return document.scriptUrls?.createScriptURL(url.href) ?? url;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptUrls;
}

/**
 * The document's policy named `signett`, which passes scripts of its own origin. Absent where Trusted Types are unknown,
 * or where the page does not allow the name: its own `worker` function makes the URL then.
 */
function scriptUrls(): ScriptUrls | undefined {
  const { trustedTypes, location } = globalThis as {
    trustedTypes?: TrustedTypes;
    location?: Location;
  };
  try {
    return trustedTypes?.createPolicy("signett", {
      createScriptURL(url) {
        // Turbopack makes URLs that have only a path.
        if (new URL(url, location?.href).origin === location?.origin) return url;
        throw new TypeError("the worker's script must have the page's own origin.");
      },
    });
  } catch {
    return undefined;
  }
}
