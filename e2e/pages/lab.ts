import * as signett from "signett";
import * as client from "signett/client";
import * as stores from "signett/stores";
import * as testing from "signett/testing";

/** The library's entries, for tests that build their own tools in the page. */
export interface Lab {
  readonly signett: typeof signett;
  readonly client: typeof client;
  readonly stores: typeof stores;
  readonly testing: typeof testing;
}

declare global {
  interface Window {
    lab: Lab;
  }
}

window.lab = { signett, client, stores, testing };
document.documentElement.dataset.ready = "true";
