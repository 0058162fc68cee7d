import type { InspectedHealth, InspectedProfile } from "../../profile.js";
import { absentView } from "../absent.js";
import type { Desk, View } from "../desk.js";
import { el, setText } from "../dom.js";
import { facts } from "../parts.js";
import { coordinationFacts, storageFacts } from "./facts.js";

/** How often health is asked for while it is looked at, in milliseconds. */
const INTERVAL = 5_000;

/** How the tabs of the profile are coordinated, and how its storage is. */
export function createProfileView(desk: Desk): View {
  const { profile } = desk;
  if (profile) return profileView(profile, desk);
  const why = "The interface has no profile, so every tab is alone: see connectProfile().";
  return absentView({ name: "profile", title: "Profile" }, why);
}

function profileView(profile: InspectedProfile, desk: Desk): View {
  const { log, tabs, surroundings } = desk;
  const coordination = facts();
  const storage = facts();
  const failure = el("p", { class: "notice", role: "alert" });
  let health: InspectedHealth | undefined;
  let cancel: (() => void) | undefined;
  const section = (title: string, content: HTMLElement) =>
    el("section", { "aria-label": title }, el("h2", {}, title), content);

  /** Asks as long as the view is open. A health that can't be asked for says so itself. */
  async function ask(): Promise<void> {
    cancel = surroundings.after(INTERVAL, ask);
    health = await profile.health?.();
    desk.changed();
  }

  function stop(): void {
    cancel?.();
    cancel = undefined;
  }

  return {
    name: "profile",
    title: "Profile",
    element: el(
      "div",
      { class: "view" },
      failure,
      el(
        "div",
        { class: "sheet", tabindex: "0" },
        ...[section("Coordination", coordination.element), section("Storage", storage.element)],
      ),
    ),
    count: () => undefined,
    draw() {
      const { problem } = health ?? {};
      failure.hidden = problem === undefined;
      setText(failure, problem ?? "");
      coordination.show(
        coordinationFacts(profile.mode, health, { tabs: tabs.count, calls: log.calls.length }),
      );
      storage.show(health ? storageFacts(health) : [{ name: "State", value: "not read yet" }]);
    },
    show(visible) {
      stop();
      if (visible) ask();
    },
    dispose: stop,
  };
}
