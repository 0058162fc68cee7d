import type { IdempotencyStore, OperationJournal, Profile } from "./contracts.js";
import type { ValidationIssue } from "./errors.js";
import type { ConfirmHook, Idempotency, Tool } from "./tool.js";
import type { InputCheck, SchemaValidator } from "./validation/validator.js";

/** How a tool asks the person, whichever way it was written. */
interface Confirm<Input, Context> {
  readonly mode: "always" | "effect-only";
  readonly request: ConfirmHook<Input, Context>;
}

/** An idempotent tool's means. */
export interface Coordination<Input, Context> {
  readonly key: Idempotency<Input, Context>["key"];
  readonly fingerprint: Idempotency<Input, Context>["fingerprint"];
  readonly store: IdempotencyStore;
  readonly waitTimeoutMs: number;
  readonly journal: OperationJournal;
  readonly journalKey: NonNullable<Tool<Input, Context, unknown>["journal"]>["key"];
  /** Store and journal are one profile's: settling the operation settles its entry in the same transaction. */
  readonly joined: boolean;
}

/** What a call runs: a tool, or a function with a tool's controls. */
export type Controls<Input, Context, Output> = Omit<
  Tool<Input, Context, Output>,
  "title" | "description" | "annotations" | "exposedTo"
>;

/** What an interface gives its tools. */
interface Surroundings {
  readonly profile?: Profile | undefined;
  readonly validator?: SchemaValidator | undefined;
}

/** A tool that was checked and is ready to be called. */
export interface Definition<Input, Context, Output> {
  readonly tool: Controls<Input, Context, Output>;
  /** Compiles the schema on first use. */
  readonly check: () => Promise<InputCheck>;
  readonly confirm: Confirm<Input, Context> | undefined;
  readonly coordination: Coordination<Input, Context> | undefined;
}

const WAIT_TIMEOUT_MS = 120_000;

/** In a chunk of its own, with Ajv: pages that expose nothing don't load it. */
const defaultValidator: SchemaValidator = {
  async compile(schema) {
    const { compileByDefault } = await import("./validation/default.js");
    return compileByDefault(schema);
  },
};

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Checks what is to be called, all but its schema.
 * @throws {TypeError} that names the tool and the field.
 */
export function define<Input, Context, Output>(
  tool: Controls<Input, Context, Output>,
  { profile, validator = defaultValidator }: Surroundings,
): Definition<Input, Context, Output> {
  checkFields(tool);
  const confirm = confirmOf(tool);
  const coordination = coordinationOf(tool, profile);
  if (confirm?.mode === "effect-only" && !coordination) {
    throw refusal(tool.name, "confirm", '"effect-only" needs `idempotency`');
  }
  let check: Promise<InputCheck> | undefined;
  return {
    tool,
    confirm,
    coordination,
    check: () => {
      check ??= compiled(tool, validator).catch((error: unknown) => {
        // A chunk that could not be loaded may load next time.
        check = undefined;
        throw error;
      });
      return check;
    },
  };
}

/** @throws {TypeError} that names the tool and the field. */
export function checkDescription({
  name,
  description,
}: {
  name: string;
  description: unknown;
}): void {
  if (typeof description !== "string" || description.trim() === "") {
    throw refusal(name, "description", "must say what the tool does");
  }
}

function refusal(name: unknown, field: string, fault: string, cause?: unknown): TypeError {
  const text = typeof name === "string" ? name.slice(0, 128) : String(name);
  return new TypeError(`Tool "${text}": \`${field}\` ${fault}.`, { cause });
}

function checkFields<Input, Context, Output>(tool: Controls<Input, Context, Output>): void {
  const { name, inputSchema, execute, idempotency } = tool;
  if (typeof name !== "string" || !NAME.test(name)) {
    throw refusal(name, "name", "must be 1 to 128 of A-Z a-z 0-9 _ . -");
  }
  if (typeof inputSchema !== "object" || inputSchema === null || Array.isArray(inputSchema)) {
    throw refusal(name, "inputSchema", "must be a JSON Schema object");
  }
  checkFunctions(name, { execute }, true);
  const { authorize, recover, verify, validate } = tool;
  checkFunctions(name, { authorize, recover, verify, validate }, false);
  if (idempotency) checkFunctions(name, { "idempotency.key": idempotency.key }, true);
  if (idempotency?.fingerprint !== true) {
    checkFunctions(name, { "idempotency.fingerprint": idempotency?.fingerprint }, false);
  }
  checkFunctions(name, { "journal.key": tool.journal?.key }, false);
  checkPositive(name, {
    verifyTimeoutMs: tool.verifyTimeoutMs,
    outputBudgetBytes: tool.outputBudgetBytes,
    "idempotency.waitTimeoutMs": idempotency?.waitTimeoutMs,
  });
}

function checkFunctions(name: string, fields: Record<string, unknown>, required: boolean): void {
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined && !required) continue;
    if (typeof value !== "function") throw refusal(name, field, "must be a function");
  }
}

/** The largest delay that browsers' timers can hold. */
const MAX_NUMBER = 2 ** 31 - 1;

function checkPositive(name: string, fields: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > MAX_NUMBER) {
      throw refusal(name, field, `must be a whole number from 1 to ${MAX_NUMBER}`);
    }
  }
}

function confirmOf<Input, Context, Output>({
  name,
  confirm,
}: Controls<Input, Context, Output>): Confirm<Input, Context> | undefined {
  if (confirm === undefined) return undefined;
  if (typeof confirm === "function") return { mode: "always", request: confirm };
  const { mode, request } = confirm ?? {};
  if (mode !== "always" && mode !== "effect-only") {
    throw refusal(name, "confirm.mode", 'must be "always" or "effect-only"');
  }
  checkFunctions(name, { "confirm.request": request }, true);
  return { mode, request };
}

function coordinationOf<Input, Context, Output>(
  { name, idempotency, journal }: Controls<Input, Context, Output>,
  profile: Profile | undefined,
): Coordination<Input, Context> | undefined {
  if (!idempotency) return undefined;
  const store = idempotency.store ?? profile?.idempotency;
  if (!store) throw refusal(name, "idempotency.store", "is missing, and there is no profile");
  const entries = journal?.store ?? profile?.journal;
  if (!entries) throw refusal(name, "journal.store", "is missing, and there is no profile");
  const profiles = profile && entries === profile.journal ? profile.idempotency : undefined;
  const joins = entries.joins ?? profiles;
  if (joins && joins !== store) {
    throw refusal(name, "journal.store", "works with its own profile's store only");
  }
  return {
    key: idempotency.key,
    fingerprint: idempotency.fingerprint,
    store,
    waitTimeoutMs: idempotency.waitTimeoutMs ?? WAIT_TIMEOUT_MS,
    journal: entries,
    journalKey: journal?.key,
    joined: joins !== undefined,
  };
}

/** A `validate` in plain JavaScript can give a boolean, in which no issue is seen. */
function listed(name: string, issues: readonly ValidationIssue[]): readonly ValidationIssue[] {
  if (!Array.isArray(issues)) throw refusal(name, "validate", "must return a list of issues");
  return issues;
}

/** A schema that was compiled when the application was built is not compiled again. */
async function compiled<Input, Context, Output>(
  { name, inputSchema, validate }: Controls<Input, Context, Output>,
  validator: SchemaValidator,
): Promise<InputCheck> {
  if (validate) return (input) => listed(name, validate(input));
  try {
    return await validator.compile(inputSchema);
  } catch (error) {
    if (error instanceof EvalError) {
      const fault = "can't be compiled: the page's policy must allow 'unsafe-eval' in script-src";
      throw refusal(name, "inputSchema", fault, error);
    }
    const fault = error instanceof Error ? error.message : String(error);
    throw refusal(name, "inputSchema", `does not compile: ${fault.slice(0, 500)}`, error);
  }
}
