import { unlessAborted } from "./abort.js";
import { authorize, type Call, confirm, measure, verify } from "./call.js";
import type { Clock } from "./clock.js";
import type { Definition } from "./definition.js";
import { OutcomeUnknownError, OutputError, ValidationError } from "./errors.js";
import type { Emit } from "./events.js";
import { inputFault } from "./input.js";
import { machinery, prepare } from "./machinery.js";
import type { Observers } from "./observers.js";
import { jsonCopy } from "./output.js";

/** Resolves the application's own state, once per call. */
export type ContextHook<Context> = (options: {
  readonly signal: AbortSignal;
}) => Context | Promise<Context>;

/** What all tools of one interface share. */
export interface Surface<Context> {
  readonly context: ContextHook<Context> | undefined;
  readonly observers: Observers;
  readonly clock: Clock;
}

/**
 * One call, stage by stage (contract, section 2). Exceptions of the application's hooks and handler keep their identity.
 */
export async function invoke<Input, Context, Output>(
  definition: Definition<Input, Context, Output>,
  { context, observers, clock }: Surface<Context>,
  input: unknown,
  signal: AbortSignal,
): Promise<Output> {
  signal.throwIfAborted();
  const series = observers.series(definition.tool.name);
  const { emit } = series;
  emit("started");
  try {
    const valid = await validated(definition, input, emit);
    const call: Call<Input, Context, Output> = {
      definition,
      input: valid,
      // Without a hook, `Context` is `undefined`.
      context: (await unlessAborted(signal, () => context?.({ signal }))) as Context,
      signal,
      emit,
      series,
      clock,
    };
    await authorize(call);
    await confirm(call, "always");
    const output = definition.coordination
      ? await (await machinery()).runIdempotent(call, definition.coordination)
      : await runPlain(call);
    emit("succeeded");
    return output;
  } catch (error) {
    emit(error instanceof OutcomeUnknownError ? "outcome_unknown" : "failed", error);
    throw error;
  }
}

/** The input that goes on is a private copy: nobody can change it after it was validated. */
async function validated<Input, Context, Output>(
  definition: Definition<Input, Context, Output>,
  input: unknown,
  emit: Emit,
): Promise<Input> {
  const { name } = definition.tool;
  const copy = privateCopy(input, name);
  const check = await prepare(definition);
  const issues = check(copy);
  if (issues.length > 0) throw new ValidationError(issues, name);
  emit("validated");
  // The schema says so.
  return copy as Input;
}

function privateCopy(input: unknown, toolName: string): unknown {
  try {
    const fault = inputFault(input);
    if (fault) throw new ValidationError([fault], toolName);
    return jsonCopy(input);
  } catch (error) {
    if (error instanceof ValidationError) throw error;
    const path = error instanceof OutputError ? error.path : "";
    const issue = { path, keyword: "type", message: "must be JSON data" };
    throw new ValidationError([issue], toolName);
  }
}

async function runPlain<Input, Context, Output>(
  call: Call<Input, Context, Output>,
): Promise<Output> {
  const { definition, input, context, signal, emit } = call;
  signal.throwIfAborted();
  const raw = await definition.tool.execute(input, { context, signal, operation: undefined });
  const output = jsonCopy(raw) as Output;
  emit("executed");
  if (signal.aborted) emit("completed_after_abort");
  measure(call, output);
  await verify(call, output, undefined);
  return output;
}
