import { unlessAborted } from "./abort.js";
import { type Call, measure, verify } from "./call.js";
import type { Begun } from "./contracts.js";
import type { Coordination } from "./definition.js";
import { ClaimLostError, OperationInProgressError } from "./errors.js";
import { runFresh, takeOver } from "./execution.js";
import { fingerprintOf } from "./fingerprint.js";
import { replayedOperation } from "./operation.js";
import { Ownership } from "./ownership.js";

const MAX_KEY = 1_024;

/** One call of an idempotent tool, from its key to its answer (contract, section 2, stages 5 to 11). */
export async function runIdempotent<Input, Context, Output>(
  call: Call<Input, Context, Output>,
  coordination: Coordination<Input, Context>,
): Promise<Output> {
  const { store, journal, joined } = coordination;
  const key = await textOf(call, "idempotency.key", coordination.key);
  const journalKey = coordination.journalKey
    ? await textOf(call, "journal.key", coordination.journalKey)
    : key;
  // "No entry" proves something to a later owner only in a journal that it can read.
  const sharedJournal =
    journal.scope === "profile" ? `${journal.id ?? ""}\n${journalKey}` : undefined;

  const fingerprint = await intentOf(call, coordination.fingerprint);
  call.series.concerns(key);
  const begun = await begin(call, coordination, { key, sharedJournal, fingerprint });
  if (begun.state === "completed") return replay(call, key, begun.value as Output);

  const { emit, series } = call;
  const reserved = reserves(call);
  const ownership = new Ownership({
    ...{ store, journal, joined, key, journalKey, sharedJournal, begun, reserved, series },
  });
  // A tab that others take for dead goes on no further than a caller who has left.
  const owned = begun.lost ? { ...call, signal: AbortSignal.any([call.signal, begun.lost]) } : call;
  try {
    if (begun.state === "fresh") return await runFresh(owned, ownership, { takeover: false });
    const absenceProves =
      journal.scope === "profile" &&
      begun.executed !== true &&
      (begun.journalKey === undefined || begun.journalKey === sharedJournal);
    return await takeOver(owned, ownership, { absenceProves, executed: begun.executed === true });
  } catch (error) {
    // Another owner has completed the same intent since: that answer stands.
    if (!(error instanceof ClaimLostError) || !error.completed) throw error;
    emit("replayed");
    return error.completed.value as Output;
  } finally {
    // Whatever went wrong on the way: a live tab must not keep a key that nobody works on.
    if (!ownership.settled) await ownership.abandon({ executed: true });
  }
}

/** A claim that still waits for a person's consent is only reserved. */
const reserves = <Input, Context, Output>({ definition }: Call<Input, Context, Output>): boolean =>
  definition.confirm?.mode === "effect-only";

/** Asks the application for a key. */
async function textOf<Input, Context, Output>(
  { definition, input, context, signal }: Call<Input, Context, Output>,
  field: string,
  key: Coordination<Input, Context>["key"],
): Promise<string> {
  const text: unknown = await unlessAborted(signal, () => key({ input, context, signal }));
  signal.throwIfAborted();
  if (typeof text === "string" && text.length > 0 && text.length <= MAX_KEY) return text;
  const got = typeof text === "string" ? `one of ${text.length}` : `a value of type ${typeof text}`;
  throw new TypeError(
    `Tool "${definition.tool.name}": \`${field}\` must give a text of 1 to ${MAX_KEY} characters, and gave ${got}. ` +
      "Nothing was executed.",
  );
}

/** The digest of what the application says an equal key must agree on. */
async function intentOf<Input, Context, Output>(
  { definition, input, context, signal }: Call<Input, Context, Output>,
  fingerprint: Coordination<Input, Context>["fingerprint"],
): Promise<string | undefined> {
  if (!fingerprint) return undefined;
  const intent =
    fingerprint === true
      ? input
      : await unlessAborted(signal, () => fingerprint({ input, context, signal }));
  try {
    return await fingerprintOf(intent);
  } catch (cause) {
    const fault = "`idempotency.fingerprint` must give JSON data. Nothing was executed.";
    throw new TypeError(`Tool "${definition.tool.name}": ${fault}`, { cause });
  }
}

/** Claims the key, or waits for its live owner as long as the tool allows. */
async function begin<Input, Context, Output>(
  call: Call<Input, Context, Output>,
  { store, waitTimeoutMs }: Coordination<Input, Context>,
  {
    key,
    sharedJournal,
    fingerprint,
  }: {
    readonly key: string;
    readonly sharedJournal: string | undefined;
    readonly fingerprint: string | undefined;
  },
): Promise<Begun> {
  const { definition, signal, emit, clock } = call;
  const patience = new AbortController();
  const cancel = clock.after(waitTimeoutMs, () =>
    patience.abort(new OperationInProgressError(waitTimeoutMs)),
  );
  let waited = false;
  try {
    const begun = await store.begin(key, {
      signal: AbortSignal.any([signal, patience.signal]),
      tool: definition.tool.name,
      fingerprint,
      journalKey: sharedJournal,
      reserve: reserves(call),
      onWait() {
        waited = true;
        emit("waiting");
      },
    });
    if (waited && begun.state !== "completed") emit("claimed");
    return begun;
  } finally {
    cancel();
  }
}

/** The stored output, checked again against the authority's present state. */
async function replay<Input, Context, Output>(
  call: Call<Input, Context, Output>,
  key: string,
  output: Output,
): Promise<Output> {
  call.emit("replayed");
  if (call.signal.aborted) call.emit("completed_after_abort");
  measure(call, output);
  await verify(call, output, replayedOperation(key));
  return output;
}
