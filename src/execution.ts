import { unlessAborted } from "./abort.js";
import { type Call, confirm, measure, verify } from "./call.js";
import { ClaimLostError, InterruptedOperationError, OutcomeUnknownError } from "./errors.js";
import type { EntryState } from "./operation.js";
import { jsonCopy } from "./output.js";
import type { Ownership } from "./ownership.js";
import { judge, type RecoveryAnswer } from "./recovery.js";
import { reportUnusedJournal } from "./unused-journal.js";

/** The key is this call's and nothing has happened: asks for consent, starts the claim, runs the handler. */
export async function runFresh<Input, Context, Output>(
  call: Call<Input, Context, Output>,
  ownership: Ownership,
  { takeover }: { readonly takeover: boolean },
): Promise<Output> {
  const { signal } = call;
  try {
    signal.throwIfAborted();
    await confirm(call, "effect-only");
    await ownership.start({ takeover });
    signal.throwIfAborted();
  } catch (error) {
    // The handler was not entered.
    if (!ownership.settled) await ownership.release();
    throw error;
  }
  return execute(call, ownership);
}

/** An earlier owner left the operation in doubt: recovery decides what goes on. */
export async function takeOver<Input, Context, Output>(
  call: Call<Input, Context, Output>,
  ownership: Ownership,
  { absenceProves, executed }: { readonly absenceProves: boolean; readonly executed: boolean },
): Promise<Output> {
  const interrupted = new InterruptedOperationError();
  const answer = await askAuthority(call, ownership, interrupted, { executed });
  const entry = await entryFor(answer, ownership);
  const verdict = judge(answer, { when: "takeover", entry, absenceProves });
  switch (verdict.kind) {
    case "complete":
      return finishRecovered(call, ownership, verdict.output);
    case "not_executed":
      return runFresh(call, ownership, { takeover: true });
    case "in_doubt":
      await ownership.abandon({ executed });
      throw new OutcomeUnknownError([interrupted, ...verdict.errors], verdict.reason);
    default:
      return verdict satisfies never;
  }
}

async function execute<Input, Context, Output>(
  call: Call<Input, Context, Output>,
  ownership: Ownership,
): Promise<Output> {
  const { definition, input, context, signal, emit } = call;
  const { operation } = ownership;
  let raw: Output;
  try {
    raw = await definition.tool.execute(input, { context, operation, signal });
    await ownership.handlerEnded();
  } catch (error) {
    await ownership.handlerEnded();
    return afterFailure(call, ownership, { error, executed: false });
  }
  let output: Output;
  try {
    output = jsonCopy(raw) as Output;
  } catch (error) {
    return afterFailure(call, ownership, { error, executed: true });
  }
  emit("executed");
  if (!operation.written) reportUnusedJournal(definition.tool, emit);
  return finish(call, ownership, output);
}

/** The handler threw, or its output is no data: did anything happen? (contract, section 3) */
async function afterFailure<Input, Context, Output>(
  call: Call<Input, Context, Output>,
  ownership: Ownership,
  { error, executed }: { readonly error: unknown; readonly executed: boolean },
): Promise<Output> {
  const { signal } = call;
  // A handler that returned has had its effect, whether or not it wrote its journal.
  const entryState = () => (executed ? "written" : ownership.review.entryState());
  if (signal.aborted) {
    // What a call that lost its claim could not write proves nothing.
    if (!ownership.lost && (await entryState()) === "none") await ownership.release();
    else await ownership.abandon({ executed });
    throw signal.reason;
  }
  const answer = await askAuthority(call, ownership, error, { executed });
  const entry = executed ? "written" : await entryFor(answer, ownership);
  const verdict = judge(answer, { when: "handler_threw", entry });
  switch (verdict.kind) {
    case "complete":
      return finishRecovered(call, ownership, verdict.output);
    case "not_executed":
      await ownership.release();
      throw error;
    case "in_doubt":
      await ownership.abandon({ executed });
      throw new OutcomeUnknownError([error, ...verdict.errors], verdict.reason);
    default:
      return verdict satisfies never;
  }
}

/** Asks `recover`. A caller who leaves before it has decided leaves the operation in doubt. */
async function askAuthority<Input, Context, Output>(
  { definition, input, context, signal }: Call<Input, Context, Output>,
  ownership: Ownership,
  error: unknown,
  { executed }: { readonly executed: boolean },
): Promise<RecoveryAnswer<Output>> {
  const { recover } = definition.tool;
  const { review: operation } = ownership;
  try {
    return await unlessAborted(signal, async () => {
      if (!recover) return { recovered: "silent" };
      return checked(await recover({ input, context, operation, signal, error }));
    });
  } catch (failure) {
    if (!signal.aborted) return { recovered: "threw", error: failure };
    await ownership.abandon({ executed });
    throw signal.reason;
  }
}

/** A hook in plain JavaScript can answer anything. */
function checked<Output>(answer: RecoveryAnswer<Output>): RecoveryAnswer<Output> {
  const recovered: unknown = (answer as { recovered?: unknown } | undefined)?.recovered;
  if (typeof recovered === "boolean") return answer;
  throw new TypeError("`recover` must answer { recovered: true, output } or { recovered: false }.");
}

/** The entry is read only where the table asks for it. */
const entryFor = async (
  answer: RecoveryAnswer<unknown>,
  { review }: Ownership,
): Promise<EntryState> =>
  answer.recovered === "silent" || (answer.recovered === false && answer.outcome === undefined)
    ? review.entryState()
    : "unreadable";

async function finishRecovered<Input, Context, Output>(
  call: Call<Input, Context, Output>,
  ownership: Ownership,
  recovered: Output,
): Promise<Output> {
  call.emit("recovered");
  let output: Output;
  try {
    output = jsonCopy(recovered) as Output;
  } catch (error) {
    await ownership.abandon({ executed: true });
    throw error;
  }
  return finish(call, ownership, output);
}

/** Verifies the output, and only then stores it: what was not verified is never replayed. */
async function finish<Input, Context, Output>(
  call: Call<Input, Context, Output>,
  ownership: Ownership,
  output: Output,
): Promise<Output> {
  const { signal, emit } = call;
  // A finished effect is not rewritten as cancelled.
  if (signal.aborted && !ownership.lost) emit("completed_after_abort");
  measure(call, output);
  try {
    await verify(call, output, ownership.review);
  } catch (error) {
    await ownership.abandon({ executed: true });
    throw error;
  }
  try {
    await ownership.complete(output);
  } catch (error) {
    if (error instanceof ClaimLostError) throw error;
    // The caller keeps its verified output. The next call finds the key in doubt, and recovers.
    emit("result_not_stored", error);
    await ownership.abandon({ executed: true });
  }
  return output;
}
