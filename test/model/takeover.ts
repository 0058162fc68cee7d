import { InterruptedOperationError } from "../../src/index.js";
import type { Claim } from "./call.js";
import { executeOnce } from "./effect.js";
import { Doubt } from "./ends.js";
import { finishRecovered } from "./finish.js";
import { askRecover, type Recovery } from "./recovering.js";
import type { Row } from "./rows.js";

const interrupted = new InterruptedOperationError();

/** The failure table's rows for an operation that an earlier owner left in doubt. */
export function takeOver(claim: Claim): unknown {
  const recovery = askRecover(claim.call, 1);
  switch (recovery.state) {
    case "left":
      claim.call.rows.push("takeover, the caller left before it was decided");
      claim.abandon();
      throw claim.call.ledger.end.reason;
    case "recovered":
      claim.call.rows.push("takeover, recovered");
      return finishRecovered(claim, recovery);
    case "not applied":
      claim.call.rows.push("takeover, not applied");
      return executeOnce(claim, { takenOver: true });
    case "unknown":
    case "no hook":
      return doubt(claim, "takeover, unknown, threw, or no hook", causesOf(recovery));
    case "not recovered":
      return judgeByJournal(claim);
  }
}

const causesOf = (recovery: Recovery): readonly unknown[] =>
  recovery.state === "unknown" ? recovery.causes : [];

/** The read itself is no place to leave from: what it says is decided. */
function judgeByJournal(claim: Claim): unknown {
  const { ledger, rows } = claim.call;
  const mayProve = !claim.executed && sharesJournal(claim);
  const entry = mayProve ? readEntry(claim) : ledger.entry;
  if (entry) return doubt(claim, "takeover, not recovered, entry written", []);
  if (!mayProve) return doubt(claim, "takeover, not recovered, no entry and that is no proof", []);
  rows.push("takeover, not recovered, no entry and that is proof");
  return executeOnce(claim, { takenOver: true });
}

/** What can't be read may be there. */
function readEntry({ call }: Claim): boolean {
  try {
    return call.ledger.readEntry();
  } catch {
    return true;
  }
}

/** Whether the dead owner would have written where this call reads (rule 10). */
function sharesJournal({ tool }: Claim): boolean {
  if (tool.journal === "tab") return false;
  const named = tool.found.state === "in doubt" ? tool.found.named : "none";
  return tool.store === "plain" || named === "the same" || named === "not remembered";
}

function doubt(claim: Claim, row: Row, causes: readonly unknown[]): never {
  claim.call.rows.push(row);
  claim.abandon();
  throw new Doubt([interrupted, ...causes]);
}
