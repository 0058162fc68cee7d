import type { Inside } from "../../exposed.js";
import type { CallLog } from "../model/call-log.js";
import type { TabNames } from "../model/tab-names.js";
import type { InspectedProfile } from "../profile.js";
import type { Surroundings } from "./surroundings.js";

/** What the views of one Inspector share. */
export interface Desk {
  readonly surroundings: Surroundings;
  readonly inside: Inside;
  readonly profile: InspectedProfile | undefined;
  readonly log: CallLog;
  readonly tabs: TabNames;
  /** Whether inputs and outputs are shown. */
  readonly data: DataSwitch;
  /** Something changed: draw the visible view. */
  readonly changed: () => void;
  /** Goes to the view of keys, at this key. */
  readonly openKey: (key: string) => void;
  /** Tells assistive technology what can be seen anyway. */
  readonly announce: (text: string) => void;
  /** Says what came of an action that leaves nothing to be seen. */
  readonly notice: (text: string) => void;
}

/** Whether inputs and outputs are shown; off until a person says otherwise. */
export class DataSwitch {
  readonly #changed: () => void;
  #on = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get on(): boolean {
    return this.#on;
  }

  turn(on: boolean): void {
    this.#on = on;
    this.#changed();
  }
}

/** One of the Inspector's pages. */
export interface View {
  readonly name: "tools" | "calls" | "keys" | "profile";
  readonly title: string;
  readonly element: HTMLElement;
  /** How many things it shows, for its tab; undefined for none to count. */
  count(): number | undefined;
  /** Brings what is shown up to date. Called while the view is visible only, at most once a frame. */
  draw(): void;
  /** The view becomes visible, or is left. */
  show(visible: boolean): void;
  dispose(): void;
}
