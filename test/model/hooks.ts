import assert from "node:assert/strict";
import type { Operation, Recovery } from "../../src/index.js";
import type { Ledger } from "./ledger.js";
import { type Handler, OUTPUTS, type Place, type RecoverAnswer } from "./scenario.js";
import { ENTRY, pause } from "./storage.js";

const notData = { at: () => {} };

/** The application's side of a real call: it answers as the scenario has it, and tells the ledger that it was asked. */
export class Hooks {
  #recovered = 0;

  constructor(readonly ledger: Ledger) {}

  /** Gives the answer's own value. */
  async answer<Value>(
    place: Place,
    answer: string,
    values: Readonly<Record<string, Value>>,
  ): Promise<Value> {
    this.ledger.reach(place);
    // Whether a caller who leaves in the same turn hears the answer is nobody's promise.
    await pause();
    if (answer === "throws") throw this.ledger.error(place);
    if (answer === "hangs") return this.#hang();
    const value = values[answer];
    assert(value !== undefined, `${place} has no answer "${answer}".`);
    return value;
  }

  /** A hook that never answers ends with its caller's patience; a verification has a time limit instead. */
  async verify(answer: string): Promise<boolean | { verified: boolean; reason: string }> {
    if (answer !== "hangs") {
      const no = { verified: false, reason: "The order is open." };
      return this.answer("verify", answer, { yes: true, no: false, "no, with a reason": no });
    }
    this.ledger.reach("verify");
    return new Promise(() => {});
  }

  async recover(answers: readonly [RecoverAnswer, RecoverAnswer]): Promise<Recovery<unknown>> {
    const answer = answers[this.#recovered === 0 ? 0 : 1];
    this.#recovered += 1;
    return this.answer<Recovery<unknown>>("recover", answer, {
      recovered: { recovered: true, output: OUTPUTS.recovered },
      "recovered no data": { recovered: true, output: notData },
      "not applied": { recovered: false, outcome: "not_applied" },
      unknown: { recovered: false, outcome: "unknown", reason: "The receipt can't be read." },
      "not recovered": { recovered: false },
    });
  }

  async execute(handler: Handler, operation: Operation | undefined): Promise<unknown> {
    this.ledger.reach("execute");
    if (operation) await this.#useJournal(handler, operation);
    this.ledger.reach("execute ends");
    switch (handler.ends) {
      case "returns data":
        return OUTPUTS.handler;
      case "returns nothing":
        return undefined;
      case "returns no data":
        return notData;
      case "throws":
        throw this.ledger.error("execute");
    }
  }

  async #useJournal({ write, removes, catches }: Handler, operation: Operation): Promise<void> {
    const goOn = (error: unknown) => {
      if (!catches) throw error;
    };
    if (write === "awaited") await operation.write(ENTRY).catch(goOn);
    if (write === "not awaited") operation.write(ENTRY).catch(() => {});
    if (removes) await operation.remove().catch(goOn);
  }

  #hang(): Promise<never> {
    setImmediate(() => this.ledger.leave());
    return new Promise(() => {});
  }
}
