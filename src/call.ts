import { unlessAborted } from "./abort.js";
import type { Clock } from "./clock.js";
import type { Definition } from "./definition.js";
import { AuthorizationError, ConfirmationError, VerificationError } from "./errors.js";
import type { Emit } from "./events.js";
import { jsonBytes } from "./output.js";
import type { Series } from "./series.js";
import type { Operation } from "./tool.js";

/** One invocation after its input was validated and its context resolved. */
export interface Call<Input, Context, Output> {
  readonly definition: Definition<Input, Context, Output>;
  readonly input: Input;
  readonly context: Context;
  /** The caller's. */
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Where `emit` comes from. */
  readonly series: Series;
  readonly clock: Clock;
}

/** Only `true`, or `true` in the named field, is a yes. */
function said(decision: unknown, field: "allowed" | "confirmed" | "verified"): boolean {
  if (typeof decision !== "object" || decision === null) return decision === true;
  return (decision as Record<string, unknown>)[field] === true;
}

function reasonOf(decision: unknown): string | undefined {
  if (typeof decision !== "object" || decision === null) return undefined;
  const { reason } = decision as { reason?: unknown };
  return typeof reason === "string" ? reason : undefined;
}

/** Asks `authorize`, which decides on every call, also before a replay. */
export async function authorize<I, C, O>(call: Call<I, C, O>): Promise<void> {
  const { definition, input, context, signal, emit } = call;
  const { authorize: hook } = definition.tool;
  if (hook) {
    const decision = await unlessAborted(signal, () => hook({ input, context, signal }));
    if (!said(decision, "allowed")) throw new AuthorizationError(reasonOf(decision));
  }
  emit("authorized");
}

/** Asks the person, if the tool asks in this mode. */
export async function confirm<I, C, O>(
  call: Call<I, C, O>,
  mode: "always" | "effect-only",
): Promise<void> {
  const { definition, input, context, signal, emit } = call;
  if (definition.confirm?.mode !== mode) return;
  const { request } = definition.confirm;
  emit("confirmation_requested");
  const decision = await unlessAborted(signal, () => request({ input, context, signal }));
  if (!said(decision, "confirmed")) {
    emit("declined");
    throw new ConfirmationError(reasonOf(decision));
  }
  emit("confirmed");
}

/** Reports how large the output is; never fails a call. */
export function measure<I, C, O>({ definition, emit }: Call<I, C, O>, output: unknown): void {
  const budget = definition.tool.outputBudgetBytes;
  if (budget === undefined) return;
  const bytes = jsonBytes(output);
  if (bytes === undefined) emit("output_unmeasurable");
  else emit(bytes > budget ? "output_oversized" : "output_validated");
}

/** Asks `verify`, on a signal of its own: a finished effect is checked also for a caller who has left. */
export async function verify<I, C, O>(
  { definition, input, context, emit, clock }: Call<I, C, O>,
  output: O,
  operation: Operation | undefined,
): Promise<void> {
  const { verify: hook, verifyTimeoutMs } = definition.tool;
  if (!hook) return;
  const limit = new AbortController();
  const cancel =
    verifyTimeoutMs !== undefined &&
    clock.after(verifyTimeoutMs, () =>
      limit.abort(new VerificationError(`no answer within ${verifyTimeoutMs} ms`)),
    );
  try {
    const { signal } = limit;
    const decision = await unlessAborted(signal, () =>
      hook({ input, context, operation, output, signal }),
    );
    if (!said(decision, "verified")) throw new VerificationError(reasonOf(decision));
  } finally {
    if (cancel) cancel();
  }
  emit("verified");
}
