import type { ActivityReport } from "../contracts.js";
import { type Disposing, disposing } from "../disposable.js";
import { insideOf } from "../exposed.js";
import type { Signett } from "../signett.js";
import { CallLog } from "./model/call-log.js";
import { TabNames } from "./model/tab-names.js";
import { createCallsView } from "./panel/calls/view.js";
import { DataSwitch, type Desk } from "./panel/desk.js";
import { Drawing } from "./panel/drawing.js";
import { createKeysView } from "./panel/keys/view.js";
import { Panel } from "./panel/panel.js";
import { createProfileView } from "./panel/profile/view.js";
import { pageSurroundings } from "./panel/surroundings.js";
import { createToolsView } from "./panel/tools/view.js";
import type { InspectedProfile } from "./profile.js";

/** Options of {@link mountSignettInspector}. */
export interface InspectorOptions {
  /** Whose keys and tabs are shown. Default: the profile that the interface was made with. */
  readonly profile?: InspectedProfile;
  /** What the panel fills. Default: it lies at the bottom of the window. */
  readonly target?: Element;
}

/**
 * Shows a developer what the tools of an interface do, in all tabs of its profile: a panel in a shadow root. Load it in
 * development only. It shows nothing of inputs and outputs until they are switched on in it, and stores nothing.
 *
 * @returns What removes the panel with everything that it has attached to the page.
 * @throws {TypeError} for an interface that `createSignett` did not make.
 */
export function mountSignettInspector<Context>(
  signett: Signett<Context>,
  { profile, target }: InspectorOptions = {},
): Disposing {
  const inside = insideOf(signett);
  const inspected = profile ?? inside.profile;
  const activity = inspected?.activity;
  const own = activity?.tab ?? "this";
  const log = new CallLog();
  const drawing = new Drawing(pageSurroundings, () => draw());
  const desk: Desk = {
    surroundings: pageSurroundings,
    inside,
    profile: inspected,
    log,
    tabs: new TabNames(own),
    data: new DataSwitch(() => drawing.request()),
    changed: () => drawing.request(),
    openKey(key) {
      keys.find(key);
      panel.open(keys.view);
    },
    announce: (text) => panel.announce(text),
    notice: (text) => panel.notice(text),
  };
  const drawAgainIn = (ms: number) => drawing.requestAfter(ms);
  const keys = createKeysView(desk, drawAgainIn);
  const views = [
    createToolsView(desk, drawAgainIn),
    createCallsView(desk, drawAgainIn),
    keys.view,
    createProfileView(desk),
  ];
  const panel = new Panel({
    target: target ?? document.body,
    docked: target === undefined,
    views,
    onOpen: () => drawing.request(),
    onData: (on) => desk.data.turn(on),
    onClose: () => inspector.dispose(),
  });
  const hear = (report: ActivityReport) => {
    log.add(report);
    drawing.request();
  };
  // What this tab does comes both ways where the interface has the profile; the log takes it once.
  const unobserve = signett.observe((event) => hear({ tab: own, event }));
  const unsubscribe = activity?.subscribe(hear);

  function draw(): void {
    panel.draw(summary(), desk.data.on);
  }

  function summary(): string {
    const { running } = log;
    return running === 0 ? "" : `${running} running`;
  }

  const inspector = disposing({
    dispose() {
      unobserve();
      unsubscribe?.();
      drawing.end();
      for (const view of views) view.dispose();
      panel.remove();
    },
  });
  return inspector;
}
