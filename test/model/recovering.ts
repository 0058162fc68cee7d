import type { ModelCall } from "./call.js";
import { OUTPUTS } from "./scenario.js";

/** The authority says that the effect has happened, with its output if that is data. */
export interface Recovered {
  readonly state: "recovered";
  readonly output: unknown;
  readonly data: boolean;
}

/** What asking `recover` came to. */
export type Recovery =
  | { readonly state: "no hook" | "left" | "not applied" | "not recovered" }
  | Recovered
  | { readonly state: "unknown"; readonly causes: readonly unknown[] };

/** Asks the authority for the first or the second time in this call. */
export function askRecover({ scenario, ledger }: ModelCall, time: 1 | 2): Recovery {
  if (ledger.end.aborted) return { state: "left" };
  if (scenario.recover === "absent") return { state: "no hook" };
  ledger.reach("recover");
  const answer = scenario.recover[time === 1 ? 0 : 1];
  if (answer === "hangs") ledger.leave();
  if (ledger.end.aborted || answer === "hangs") return { state: "left" };
  switch (answer) {
    case "recovered":
      return { state: "recovered", output: OUTPUTS.recovered, data: true };
    case "recovered no data":
      return { state: "recovered", output: undefined, data: false };
    case "throws":
      return { state: "unknown", causes: [ledger.error("recover")] };
    case "unknown":
      return { state: "unknown", causes: [] };
    default:
      return { state: answer };
  }
}
