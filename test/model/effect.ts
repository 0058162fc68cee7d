import { ClaimLostError } from "../../src/index.js";
import type { Claim, ModelCall } from "./call.js";
import { Doubt, Owned } from "./ends.js";
import { finish, finishRecovered } from "./finish.js";
import { askRecover } from "./recovering.js";
import type { Row } from "./rows.js";
import { asksBeforeEffect, OUTPUTS } from "./scenario.js";

/** How a handler ended. */
type Ran =
  | { readonly state: "returned"; readonly output: unknown }
  | { readonly state: "returned no data" | "threw"; readonly error: unknown };

/** Stages 8 and 9 without a key. */
export function executePlainly(call: ModelCall): unknown {
  call.goOnUnlessLeft();
  const ran = run(call);
  if (ran.state === "returned") {
    call.ledger.stage("executed");
    return finish(call, ran.output);
  }
  throw ran.error;
}

/** Stages 7 to 9. */
export function executeOnce(claim: Claim, { takenOver }: { takenOver: boolean }): unknown {
  prepare(claim, takenOver);
  const ran = run(claim.call);
  claim.executed = ran.state !== "threw";
  if (ran.state !== "returned") return decide(claim, ran.error, takenOver ? 2 : 1);
  const { ledger, scenario } = claim.call;
  ledger.stage("executed");
  if (scenario.handler.write === "none") ledger.stage("journal_unused");
  return finish(claim.call, ran.output, claim);
}

/** Until `execute` is entered, every end frees the key. */
function prepare(claim: Claim, takenOver: boolean): void {
  const { call, tool } = claim;
  const reserved = asksBeforeEffect(call.scenario);
  try {
    call.goOnUnlessLeft();
    if (reserved) call.confirm();
    if (tool.store === "full" && (reserved || takenOver)) {
      start(claim, takenOver);
    }
    claim.removeEntry();
    call.goOnUnlessLeft();
  } catch (error) {
    if (!claim.refused) claim.release();
    throw error;
  }
}

function start(claim: Claim, fresh: boolean): void {
  try {
    claim.call.ledger.start(claim.fence, { fresh });
  } catch (error) {
    claim.refused = error instanceof ClaimLostError;
    throw error;
  }
}

/** The handler's own steps. */
function run({ ledger, scenario }: ModelCall): Ran {
  const { handler, idempotent } = scenario;
  ledger.reach("execute");
  try {
    if (idempotent && handler.write !== "none") {
      const goOn = handler.catches || handler.write === "not awaited";
      attempt(() => ownEntry(ledger, () => ledger.writeEntry()()), { goOn });
    }
    if (idempotent && handler.removes) {
      attempt(() => ownEntry(ledger, () => ledger.removeEntry()), { goOn: handler.catches });
    }
  } catch (error) {
    return { state: "threw", error };
  }
  ledger.reach("execute ends");
  switch (handler.ends) {
    case "returns data":
      return { state: "returned", output: OUTPUTS.handler };
    case "returns nothing":
      return { state: "returned", output: undefined };
    case "returns no data":
      return { state: "returned no data", error: new Owned("output_not_serializable") };
    case "throws":
      return { state: "threw", error: ledger.error("execute") };
  }
}

/** The entry of a call that knows that it has lost its claim is somebody else's. */
function ownEntry({ lost }: ModelCall["ledger"], change: () => void): void {
  if (lost.signal.aborted) throw lost.signal.reason;
  change();
}

function attempt(step: () => void, { goOn }: { goOn: boolean }): void {
  try {
    step();
  } catch (error) {
    if (!goOn) throw error;
  }
}

/** The failure table's rows for a handler that threw, or that returned what is no data. */
function decide(claim: Claim, error: unknown, time: 1 | 2): unknown {
  const { call } = claim;
  if (call.ledger.end.aborted) return decideForNobody(claim);
  const recovery = askRecover(call, time);
  switch (recovery.state) {
    case "left":
      claim.abandon();
      throw call.ledger.end.reason;
    case "recovered":
      call.rows.push("handler threw, recovered");
      return finishRecovered(claim, recovery);
    case "not applied":
      return free(claim, "handler threw, not applied", error);
    case "unknown":
      return doubt(claim, "handler threw, recover unknown or threw", [error, ...recovery.causes]);
    default: {
      if (provenEmpty(claim)) return free(claim, "handler threw, undecided, no entry", error);
      return doubt(claim, "handler threw, undecided, entry written or unreadable", [error]);
    }
  }
}

function decideForNobody(claim: Claim): never {
  const { ledger, rows } = claim.call;
  // What a call that lost its claim could not write proves nothing.
  if (!ledger.lost.signal.aborted && provenEmpty(claim)) {
    return free(claim, "handler threw after the caller left, no entry", ledger.end.reason);
  }
  rows.push("handler threw after the caller left, entry written");
  claim.abandon();
  throw ledger.end.reason;
}

/** An effect that has happened is worth an entry, and so is what can't be read. */
function provenEmpty({ executed, call }: Claim): boolean {
  try {
    return !executed && !call.ledger.readEntry();
  } catch {
    return false;
  }
}

function free(claim: Claim, row: Row, error: unknown): never {
  claim.call.rows.push(row);
  claim.release();
  throw error;
}

function doubt(claim: Claim, row: Row, causes: readonly unknown[]): never {
  claim.call.rows.push(row);
  claim.abandon();
  throw new Doubt(causes);
}
