import * as signett from "signett";
import * as client from "signett/client";

/** The library's entries, for tests that build their own tools in the page. */
export interface Lab {
  readonly signett: typeof signett;
  readonly client: typeof client;
}

declare global {
  interface Window {
    lab: Lab;
  }
}

window.lab = { signett, client };
document.documentElement.dataset.ready = "true";
