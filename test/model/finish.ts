import { ClaimLostError } from "../../src/index.js";
import type { Claim, ModelCall } from "./call.js";
import { Owned } from "./ends.js";
import type { Recovered } from "./recovering.js";

/** The effect has happened, by the authority's word. */
export function finishRecovered(claim: Claim, { output, data }: Recovered): unknown {
  claim.call.ledger.stage("recovered");
  claim.executed = true;
  if (data) return finish(claim.call, output, claim);
  claim.abandon();
  throw new Owned("output_not_serializable");
}

/** Stages 10 and 11: a replay has no claim, and its record stays as it is. */
export function finish(call: ModelCall, output: unknown, claim?: Claim): unknown {
  const { ledger } = call;
  if (ledger.caller.signal.aborted && !ledger.lost.signal.aborted)
    ledger.stage("completed_after_abort");
  measure(call, output);
  try {
    verify(call);
  } catch (error) {
    claim?.abandon();
    throw error;
  }
  return claim ? seal(claim, output) : output;
}

function measure({ scenario, ledger }: ModelCall, output: unknown): void {
  if (scenario.budget === "none") return;
  if (holdsBigInt(output)) ledger.stage("output_unmeasurable");
  else if (scenario.budget === "large" || output === undefined) ledger.stage("output_validated");
  else ledger.stage("output_oversized");
}

const holdsBigInt = (output: unknown): boolean =>
  typeof output === "object" && output !== null && "size" in output;

/** The caller's leaving does not end verification; its own time limit does. */
function verify({ scenario, ledger }: ModelCall): void {
  if (scenario.verify === "absent") return;
  ledger.reach("verify");
  if (scenario.verify === "throws") throw ledger.error("verify");
  if (scenario.verify !== "yes") throw new Owned("verification_failed");
  ledger.stage("verified");
}

function seal(claim: Claim, output: unknown): unknown {
  const { call, fence } = claim;
  try {
    call.ledger.complete(fence, output);
  } catch (error) {
    if (error instanceof ClaimLostError) throw error;
    call.ledger.stage("result_not_stored");
    claim.abandon();
    return output;
  }
  try {
    claim.removeEntry();
  } catch {
    call.ledger.stage("cleanup_failed");
  }
  return output;
}
