import type { Store } from "./store.js";
import { createStore } from "./store.js";

/** Who is signed in, and what they may do: the trusted context of every tool call. */
export interface Session {
  readonly accountId: string;
  readonly scopes: readonly string[];
}

/** What the account menu can change, for this tab alone. */
export interface Preferences {
  /** Ask the person before an order is cancelled. */
  readonly askBeforeCancelling: boolean;
  /** The signed-in account has the scope `orders:cancel`. */
  readonly mayCancel: boolean;
}

/** The demo has one account; a real page would ask its backend. */
export const accountId = "acct-demo";

/** Reads `?ask=0` and `?scope=none`, and keeps the address up to date so that a reload changes nothing. */
export function createPreferences(): Store<Preferences> {
  const query = new URLSearchParams(location.search);
  const preferences = createStore<Preferences>({
    askBeforeCancelling: query.get("ask") !== "0",
    mayCancel: query.get("scope") !== "none",
  });
  preferences.subscribe(({ askBeforeCancelling, mayCancel }) => {
    const address = new URL(location.href);
    set(address, "ask", askBeforeCancelling ? null : "0");
    set(address, "scope", mayCancel ? null : "none");
    history.replaceState(null, "", address);
  });
  return preferences;
}

/** The session as the tools see it at this moment. */
export function currentSession({ mayCancel }: Preferences): Session {
  return { accountId, scopes: mayCancel ? ["orders:read", "orders:cancel"] : ["orders:read"] };
}

function set(address: URL, name: string, value: string | null): void {
  if (value === null) address.searchParams.delete(name);
  else address.searchParams.set(name, value);
}
