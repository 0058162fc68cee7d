import { createAccountView } from "./account-view.js";
import type { Agent } from "./agent.js";
import { createAgentView, newOperationId } from "./agent-view.js";
import { type Answer, beingCancelled, withClosedTabs } from "./answers.js";
import { createAnswersView } from "./answers-view.js";
import type { Api } from "./api.js";
import { createApprovalElsewhere } from "./approval-elsewhere.js";
import { byId } from "./dom.js";
import { createEffectsView } from "./effects-view.js";
import { createFaultsView } from "./faults-view.js";
import { createLatestOperation } from "./latest-operation.js";
import { createOrdersView } from "./orders-view.js";
import type { Requests } from "./requests.js";
import { createServerState } from "./server-state.js";
import type { Preferences } from "./session.js";
import type { Store } from "./store.js";
import type { Tabs } from "./tabs.js";
import { createDot, createTabsView } from "./tabs-view.js";

export interface PageOptions {
  readonly api: Api;
  readonly agent: Agent;
  readonly preferences: Store<Preferences>;
  readonly requests: Requests;
  readonly tab: Answer["tab"];
  readonly tabs: Tabs;
}

/** Connects what the page knows with what it shows. */
export function createPage({ api, agent, preferences, requests, tab, tabs }: PageOptions): void {
  const { answers } = requests;
  const { channel } = tabs;
  const latest = createLatestOperation();
  const server = createServerState({ api, latest });

  const agentView = createAgentView(agent.kind, tab.id, requests);
  const showOrders = createOrdersView((orderId) =>
    requests.call("cancel_order", { orderId, operationId: newOperationId() }),
  );
  const showEffects = createEffectsView();
  const showAnswers = createAnswersView();
  const showFaults = createFaultsView({
    change: (change) => changeServer("faults", api.setFaults(change)),
    reset: () => changeServer("reset", api.reset()),
  });
  createAccountView(preferences);
  byId("self", HTMLElement).append(createDot(tab.number), `Tab ${tab.number}`);
  byId("open-tab", HTMLButtonElement).addEventListener("click", () =>
    // Without `noopener` the new tab would share this one's process, and a crash would take both.
    window.open(location.href, "_blank", "noopener"),
  );
  byId("retry", HTMLButtonElement).addEventListener("click", server.refresh);

  function serverChanged(change: "faults" | "reset"): void {
    if (change === "reset") {
      agentView.renew();
      latest.clear();
    }
    server.refresh();
  }

  async function changeServer(change: "faults" | "reset", done: Promise<unknown>): Promise<void> {
    // A refused change shows in the refresh: the switches go back to what the server has.
    await done.catch(() => {});
    channel.post({ type: "server", change });
    serverChanged(change);
  }

  const knownAnswers = () => withClosedTabs(answers.get(), tabs.all.get());

  function showCalls(): void {
    const known = knownAnswers();
    showOrders(server.state.get(), beingCancelled(known));
    showAnswers(known);
    agentView.show(known);
  }

  tabs.all.subscribe(createTabsView(tab.id));
  tabs.all.subscribe(createApprovalElsewhere(tab.id));
  tabs.all.subscribe(showCalls);
  tabs.onEnded(server.refresh);
  tabs.onLeft(server.refreshForAWhile);
  server.state.subscribe((state) => {
    const { orders, faults, unreachable } = state;
    if (orders) agentView.offer(orders);
    if (faults) showFaults(faults);
    byId("unreachable", HTMLElement).hidden = !unreachable;
    showCalls();
    // Only here: next to answers that are newer than the last read, its count would look like a missing effect.
    showEffects(state, knownAnswers());
  });
  answers.subscribe((known) => {
    const newest = known.at(-1);
    if (newest) latest.asked(newest.request);
    showCalls();
    server.refresh();
  });
  channel.subscribe((message) => {
    if (message.type === "server") serverChanged(message.change);
  });
}
