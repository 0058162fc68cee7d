import { ClaimLostError } from "../../src/index.js";
import { Claim, ModelCall } from "./call.js";
import { executeOnce, executePlainly } from "./effect.js";
import { Doubt, type Outcome, Owned, outcomeOf, rejected, returned } from "./ends.js";
import { finish } from "./finish.js";
import { intent } from "./ledger.js";
import type { Row } from "./rows.js";
import { asksBeforeEffect, type Idempotent, type Place, type Scenario } from "./scenario.js";
import { takeOver } from "./takeover.js";

/** What must come of a call, and the rows of the failure table that decide it. */
export interface Prediction extends Outcome {
  readonly rows: readonly Row[];
  readonly reached: ReadonlySet<Place>;
}

/**
 * What must happen in a scenario by sections 2 and 3 of the contract: a plain program without promises, which makes the
 * calls that the runtime has to make. It is written from the contract, not from the runtime.
 */
export function predict(scenario: Scenario): Prediction {
  const call = new ModelCall(scenario);
  const end = endOf(call);
  return { ...outcomeOf(call.ledger, end), rows: call.rows, reached: call.ledger.reached };
}

/** Stages 1 and 12. */
function endOf(call: ModelCall): string {
  const { ledger } = call;
  if (ledger.end.aborted) return rejected(ledger.end.reason, ledger);
  ledger.stage("started");
  try {
    const output = enter(call);
    ledger.stage("succeeded");
    // A host would make the text "undefined" of it.
    return returned(output === undefined ? null : output);
  } catch (error) {
    ledger.stage(error instanceof Doubt ? "outcome_unknown" : "failed");
    return rejected(error, ledger);
  }
}

/** Stages 2 to 5. */
function enter(call: ModelCall): unknown {
  const { scenario, ledger } = call;
  if (scenario.input === "invalid") throw new Owned("invalid_input");
  ledger.stage("validated");
  call.ask("context", scenario.context);
  if (!call.ask("authorize", scenario.authorize)) throw new Owned("authorization_denied");
  ledger.stage("authorized");
  if (scenario.confirmMode !== "effect-only") call.confirm();
  if (!scenario.idempotent) return executePlainly(call);
  nameKeys(call, scenario.idempotent);
  return claim(call, scenario.idempotent);
}

function nameKeys(call: ModelCall, { key, journalKey }: Idempotent): void {
  for (const [place, answer] of [
    ["key", key],
    ["journal key", journalKey],
  ] as const) {
    if (answer === "empty" || answer === "too long") {
      call.ask(place, "fine");
      throw new TypeError("Not a key");
    }
    call.ask(place, answer);
  }
}

/** Stage 6. */
function claim(call: ModelCall, tool: Idempotent): unknown {
  const begun = begin(call, tool);
  if (begun.state === "completed") {
    call.ledger.stage("replayed");
    return finish(call, begun.output);
  }
  const claim = new Claim(call, tool, begun);
  try {
    if (begun.state === "in doubt") return takeOver(claim);
    return executeOnce(claim, { takenOver: false });
  } catch (error) {
    // Another owner has completed the same intent: that answer stands.
    if (!(error instanceof ClaimLostError) || !error.completed) throw error;
    call.ledger.stage("replayed");
    return error.completed.value;
  }
}

function begin(call: ModelCall, tool: Idempotent) {
  const { ledger, scenario } = call;
  ledger.reach(
    "begin",
    intent({ reserves: asksBeforeEffect(scenario), names: tool.journal !== "tab" }),
  );
  if (tool.owner === "none" && tool.grantsToLeavers) return ledger.claim();
  call.goOnUnlessLeft();
  if (tool.owner !== "none") {
    ledger.stage("waiting");
    ledger.reach("waiting");
    call.goOnUnlessLeft();
    if (tool.owner === "never settles") throw new Owned("operation_in_progress");
  }
  const begun = ledger.claim();
  if (tool.owner !== "none" && begun.state !== "completed") ledger.stage("claimed");
  return begun;
}
