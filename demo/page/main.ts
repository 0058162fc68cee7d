import { createSignett } from "signett";
import { connectProfile } from "signett/client";
import { interpretedValidator } from "signett/validation";
import { createAgent } from "./agent.js";
import { api } from "./api.js";
import { createApproval } from "./approval.js";
import { recordEvents } from "./demo-window.js";
import { byId, setText } from "./dom.js";
import { createInspectorButton } from "./inspector-button.js";
import { createPage } from "./page.js";
import { createRequests } from "./requests.js";
import { createPreferences, currentSession, type Session } from "./session.js";
import { takeTabNumber } from "./tab-number.js";
import { createTabs } from "./tabs.js";
import { cancelOrderTool, listOrdersTool } from "./tools.js";

const modeWords = {
  idle: "idle until the first call",
  shared: "one shared worker",
  local: "in this page",
  unavailable: "not available here",
};

async function start(): Promise<void> {
  const tab = { id: crypto.randomUUID(), number: await takeTabNumber() };
  const record = recordEvents(`Tab ${tab.number}`);
  const preferences = createPreferences();
  const agent = createAgent();
  const tabs = createTabs(tab);
  const requests = createRequests({ agent, tab, channel: tabs.channel });
  createPage({ api, agent, preferences, requests, tab, tabs });

  // One profile coordinates the tools of all tabs. It starts nothing before the first idempotent call.
  const profile = connectProfile();
  const signett = createSignett<Session>({
    context: () => currentSession(preferences.get()),
    profile,
    // The page's policy forbids code from text, so the schemas that are not precompiled are interpreted.
    validator: interpretedValidator,
    observe(event) {
      record(event);
      tabs.observe(event, requests.observe(event));
      setText(byId("profile-mode", HTMLElement), modeWords[profile.mode]);
    },
    // Without this option Signett registers with the browser's own `document.modelContext`.
    ...(agent.modelContext && { modelContext: agent.modelContext }),
  });

  createInspectorButton(byId("inspector", HTMLButtonElement), signett);
  const ask = createApproval(api.getOrder);
  await signett.expose(listOrdersTool(api));
  await signett.expose(
    cancelOrderTool({
      api,
      confirm: async (orderId, { signal }) =>
        preferences.get().askBeforeCancelling ? ask(orderId, { signal }) : true,
    }),
  );
  document.documentElement.dataset.ready = "true";
}

start().catch((error: unknown) => {
  const failure = byId("failure", HTMLElement);
  failure.hidden = false;
  setText(failure, `The page could not start: ${String(error)}`);
  throw error;
});
