import { describe, expect, it } from "vitest";
import { OutcomeUnknownError } from "../../src/index.js";
import {
  OperationNotInDoubtError,
  OperationPurgedError,
  recoveryPostponed,
} from "../../src/operation-errors.js";

describe("what a reviewer and a caller are told, where hosts drop all but the message", () => {
  it("a refused review says where the operation stands, and what to do", () => {
    const claimed = new OperationNotInDoubtError("claimed");
    expect(claimed).toMatchObject({ code: "operation_not_in_doubt", found: "claimed" });
    expect(claimed.message).toMatch(/\(claimed\).*nothing was changed.*look again/);
    expect(new OperationNotInDoubtError("completed").message).toMatch(
      /\(completed\).*Nothing is to/,
    );
    expect(new OperationNotInDoubtError("in_doubt").message).toMatch(
      /Another call.*since.*nothing was changed.*Look again/,
    );
  });

  it("a purged answer says that nothing ran, and that something may have", () => {
    const { code, message, name } = new OperationPurgedError();
    expect([code, name]).toEqual(["operation_purged", "OperationPurgedError"]);
    expect(message).toMatch(/executed nothing.*may have happened.*check the current state/);
  });

  it("a postponed recovery says when, how often it failed, and that a person should look", () => {
    const error = recoveryPostponed({ attempts: 5, recoverAt: 86_400_000 });
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ nextRecoveryAt: 86_400_000, retryable: false });
    expect(error.message).toMatch(/5 times.*a person should look.*1970-01-02T00:00:00/);
    expect(new OutcomeUnknownError([])).not.toHaveProperty("nextRecoveryAt");
  });
});
