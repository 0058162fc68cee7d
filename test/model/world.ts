import assert from "node:assert/strict";
import { createSignett, type Tool } from "../../src/index.js";
import { TestHost } from "../support/runtime.js";
import { type Outcome, outcomeOf, rejected, returned } from "./ends.js";
import { Hooks } from "./hooks.js";
import { Ledger } from "./ledger.js";
import type { Idempotent, Scenario } from "./scenario.js";
import { ENTRY_KEY, KEY, pause, storageOf, TOOL } from "./storage.js";

const SESSION = { user: "ada" };
const INPUT = { orderId: "7" };
const SCHEMA = {
  type: "object",
  properties: { orderId: { type: "string", maxLength: 8 } },
  required: ["orderId"],
  additionalProperties: false,
};

type OrderTool = Tool<typeof INPUT, typeof SESSION, unknown>;
type Storage = ReturnType<typeof storageOf>;

/** Runs the scenario's call through the real runtime, as a tool that is registered with a host. */
export async function run(scenario: Scenario): Promise<Outcome> {
  const ledger = new Ledger(scenario);
  const hooks = new Hooks(ledger);
  const host = new TestHost();
  const storage = scenario.idempotent && storageOf(ledger, scenario.idempotent);
  const { profile, own } = placed(scenario.idempotent, storage);
  const signett = createSignett<typeof SESSION>({
    modelContext: host,
    ...(scenario.context !== "absent" && {
      context: () => hooks.answer("context", scenario.context, { yes: SESSION }),
    }),
    ...profile,
  });
  const registration = await signett.expose(toolOf(scenario, hooks, own));
  const unobserve = signett.observe(({ stage }) => ledger.stage(stage));
  const { signal } = ledger.caller;
  const end = await host
    .invoke(TOOL, scenario.input === "valid" ? INPUT : {}, { signal })
    .then(returned, (error) => rejected(error, ledger));
  // What is done about a key that is granted after its caller left is part of the call.
  for (let turns = 0; turns < 4; turns += 1) await pause();
  unobserve();
  registration.dispose();
  return outcomeOf(ledger, end);
}

/** A profile's store and journal come together; others are the tool's own. */
function placed(tool: Idempotent | undefined, storage: Storage | undefined) {
  if (!storage) return {};
  const { store, journal } = storage;
  if (tool?.journal === "joined") return { profile: { profile: { idempotency: store, journal } } };
  return { own: { idempotency: { store }, journal: { store: journal } } };
}

function toolOf(
  scenario: Scenario,
  hooks: Hooks,
  own: ReturnType<typeof placed>["own"],
): OrderTool {
  const { idempotent, recover, budget } = scenario;
  return {
    name: TOOL,
    description: "Cancels one order of the account.",
    inputSchema: SCHEMA,
    execute: (input, { context, operation }) => {
      assert.deepEqual(input, INPUT);
      assert.equal(context, scenario.context === "absent" ? undefined : SESSION);
      assert.equal(operation?.key, idempotent && KEY);
      return hooks.execute(scenario.handler, operation);
    },
    ...asking(scenario, hooks),
    ...(idempotent && keyed(idempotent, hooks, own)),
    ...(recover !== "absent" && { recover: () => hooks.recover(recover) }),
    ...(budget !== "none" && { outputBudgetBytes: budget === "large" ? 1_000 : 1 }),
  };
}

/** The hooks that are asked for a yes or a no. */
function asking({ authorize, confirm, confirmMode, verify }: Scenario, hooks: Hooks) {
  const request = () =>
    hooks.answer("confirm", confirm, {
      yes: true,
      no: false,
      "no, with a reason": { confirmed: false, reason: "Not today." },
    });
  return {
    ...(authorize !== "absent" && {
      authorize: () =>
        hooks.answer("authorize", authorize, {
          yes: true,
          no: false,
          "no, with a reason": { allowed: false, reason: "Not your order." },
        }),
    }),
    ...(confirm !== "absent" && {
      confirm: confirmMode === "a function" ? request : { mode: confirmMode, request },
    }),
    ...(verify !== "absent" && {
      verify: () => hooks.verify(verify),
      // No answer comes within a millisecond that is not to come; every other one has all the time.
      ...(verify === "hangs" && { verifyTimeoutMs: 1 }),
    }),
  };
}

function keyed(
  { key, journalKey, owner }: Idempotent,
  hooks: Hooks,
  own: ReturnType<typeof placed>["own"],
) {
  const keys = { fine: KEY, empty: "", "too long": "k".repeat(1_025) };
  return {
    idempotency: {
      ...own?.idempotency,
      key: () => hooks.answer("key", key, keys),
      ...(owner === "never settles" && { waitTimeoutMs: 1 }),
    },
    ...(own && {
      journal: {
        ...own.journal,
        ...(journalKey !== "absent" && {
          key: () => hooks.answer("journal key", journalKey, { ...keys, fine: ENTRY_KEY }),
        }),
      },
    }),
  };
}
