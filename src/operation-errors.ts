import { OutcomeUnknownError } from "./errors.js";
import type { OperationState } from "./operations.js";
import { SignettError } from "./signett-error.js";

/** The answer that this call waited for was purged while it waited. This call executed nothing. */
export class OperationPurgedError extends SignettError {
  static override readonly errorName = "OperationPurgedError";
  readonly code = "operation_purged";

  constructor() {
    super(
      "The operation with this key was purged while another call was running it, so its answer is not kept. " +
        "This call executed nothing, and the other's effect may have happened: check the current state first.",
    );
  }
}

/** A review was refused, and nothing was changed: the operation is not in doubt. */
export class OperationNotInDoubtError extends SignettError {
  static override readonly errorName = "OperationNotInDoubtError";
  readonly code = "operation_not_in_doubt";

  /**
   * @param found Where the key stands. `"claimed"`: a live call has it, which may still settle or recover it. `"in_doubt"`: a
   *   later call than the reviewer has looked at has left it so.
   */
  constructor(readonly found: "free" | OperationState) {
    super(
      found === "in_doubt"
        ? "Another call has left the operation in doubt since it was looked at, so nothing was changed. Look again."
        : `The operation is not in doubt (${found}), so nothing was changed. ${nextAfter(found)}`,
    );
  }
}

const nextAfter = (found: "free" | OperationState): string =>
  found === "claimed"
    ? "A call is running or recovering it: look again when that call has ended."
    : "Nothing is to be decided.";

/** Recovery has failed too often to be asked again so soon. */
export const recoveryPostponed = ({
  attempts,
  recoverAt,
}: {
  readonly attempts: number;
  /** Epoch milliseconds. */
  readonly recoverAt: number;
}): OutcomeUnknownError =>
  new OutcomeUnknownError(
    [],
    `recovery has not decided ${attempts} times in a row, so a person should look; ` +
      `the next try is allowed at ${new Date(recoverAt).toISOString()}`,
    { nextRecoveryAt: recoverAt },
  );
