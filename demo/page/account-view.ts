import { byId } from "./dom.js";
import type { Preferences } from "./session.js";
import type { Store } from "./store.js";

/** The account menu's two switches. */
export function createAccountView(preferences: Store<Preferences>): void {
  const ask = byId("ask", HTMLInputElement);
  const scope = byId("scope", HTMLInputElement);
  ask.addEventListener("change", () =>
    preferences.set({ ...preferences.get(), askBeforeCancelling: ask.checked }),
  );
  scope.addEventListener("change", () =>
    preferences.set({ ...preferences.get(), mayCancel: scope.checked }),
  );
  preferences.subscribe(({ askBeforeCancelling, mayCancel }) => {
    ask.checked = askBeforeCancelling;
    scope.checked = mayCancel;
  });
}
