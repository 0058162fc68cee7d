import { MAX_MESSAGE, MAX_QUOTE, SignettError } from "./signett-error.js";
import { bounded, more, sentence } from "./text.js";

/**
 * Whether an agent may call again for the same intent: not at all, with the same call, or only after the repair.
 */
export type RetryPolicy = "never" | "as_is" | "after_repair";

/** What an agent can do about a failure. */
export type RepairAction =
  | "change_input"
  | "call_tool"
  | "refresh_state"
  | "retry_same_operation"
  | "ask_user"
  | "reconcile"
  | "stop";

/** One action. Its texts come from trusted application logic, never from a server's or a page's content. */
export interface RepairStep {
  readonly action: RepairAction;
  /** The tool that the action is about; the one to call for `call_tool`. */
  readonly tool?: string | undefined;
  /** What to do, in a concise sentence. */
  readonly instruction: string;
}

/** Input fields, by name only, that a repair keeps or replaces. Keep each list to eight. */
export interface RepairInvariants {
  /** Fields that define the intent: their original values must survive the repair. */
  readonly preserve?: readonly string[] | undefined;
  /** Fields that must be replaced from what the repair gave. */
  readonly update?: readonly string[] | undefined;
}

/** Dependent actions, in their order. Keep it to five steps. */
export interface RepairPlan extends RepairInvariants {
  readonly steps: readonly RepairStep[];
}

/** The next action, or an ordered plan of them. */
export type Repair = (RepairStep & RepairInvariants) | RepairPlan;

/** What a {@link ToolError} is made of. */
export interface ToolErrorOptions {
  /** The application's code for this failure. Required, not blank. */
  readonly code: string;
  /** What failed, in a sentence that an agent or a person can understand. Required, not blank. */
  readonly message: string;
  /** Default: what `retryable` says. Wins where the two contradict each other. */
  readonly retry?: RetryPolicy | undefined;
  /**
   * The legacy form of `retry`: `false` is `"never"`, `true` is `"after_repair"` with a repair and `"as_is"` without.
   * Where neither is given, a repair means `"after_repair"`, and no repair `"never"`.
   */
  readonly retryable?: boolean | undefined;
  /** For the application only: never part of the message. */
  readonly details?: unknown;
  readonly repair?: Repair | undefined;
  /** What caused the failure. */
  readonly cause?: unknown;
}

/**
 * An expected business failure that an agent or a UI can act on (errors seed, "ToolError"). Signett tells the agent
 * about the retry policy and the repair; it never retries or calls a tool by itself.
 *
 * The message is portable: it has the code, the policy and the repair, because hosts drop other properties. It
 * renders at most five steps and eight fields a list, and at most 1,000 characters: a repair that would be longer
 * has its texts shortened, all to the same bound. `repair` keeps everything as it was given.
 *
 * @throws {TypeError} for a `code` or `message` that is no text or blank. Anything else that the types forbid is
 * tolerated, since it would hide the failure: an unknown `retry` counts as `"never"`, and a repair that can't be
 * read is not rendered.
 */
export class ToolError extends SignettError {
  static override readonly errorName = "ToolError";
  readonly code: string;
  /** See {@link RetryPolicy}. */
  readonly retry: RetryPolicy;
  /** Whether any retry is allowed: `retry` is not `"never"`. */
  readonly retryable: boolean;
  /** The repair as it was given, for callers that can use its structure. */
  readonly repair: Repair | undefined;
  /** For the application only. */
  readonly details: unknown;

  constructor(options: ToolErrorOptions) {
    const retry = retryPolicy(options);
    super(
      portableMessage(options, retry),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = options.code;
    this.retry = retry;
    this.retryable = retry !== "never";
    this.repair = options.repair;
    this.details = options.details;
  }
}
const policies: Readonly<Record<RetryPolicy, string>> = {
  never: "Do not repeat this call.",
  as_is: "The same call may be repeated unchanged.",
  after_repair: "Do not repeat this call before the cause is repaired.",
};

function retryPolicy({ retry, retryable, repair }: ToolErrorOptions): RetryPolicy {
  switch (retry) {
    case "never":
    case "as_is":
    case "after_repair":
      return retry;
    case undefined:
      if ((retryable ?? Boolean(repair)) !== true) return "never";
      return repair ? "after_repair" : "as_is";
    default:
      return "never";
  }
}

const MAX_CODE = 64;
const MAX_STEPS = 5;
const MAX_FIELDS = 8;

function portableMessage(options: ToolErrorOptions, retry: RetryPolicy): string {
  const what = sentence(required("message", options.message), MAX_QUOTE);
  const code = bounded(required("code", options.code), MAX_CODE);
  const head = `${what} Code: ${code}. Retry: ${retry}. ${policies[retry]}`;
  return options.repair ? head + guidance(options.repair, MAX_MESSAGE - head.length) : head;
}

function required(name: "code" | "message", value: unknown): string {
  if (typeof value === "string" && bounded(value, MAX_QUOTE) !== "") return value;
  throw new TypeError(`A ToolError needs a ${name}: text that is not blank.`);
}

/** The repair in at most `room` characters; nothing where an untyped caller gave what can't be read. */
function guidance(repair: Repair, room: number): string {
  try {
    let limit = MAX_QUOTE;
    let text = rendered(repair, limit);
    while (text.length > room && limit > 1) {
      limit = Math.floor(limit * 0.8);
      text = rendered(repair, limit);
    }
    return text;
  } catch {
    return "";
  }
}

/** The repair, each of its texts in at most `limit` characters. */
function rendered(repair: Repair, limit: number): string {
  const actions = "steps" in repair ? plan(repair.steps, limit) : nextAction(repair, limit);
  const keep = fields("Keep unchanged", repair.preserve, limit);
  return actions + keep + fields("Replace from the repair's result", repair.update, limit);
}

function nextAction(step: RepairStep, limit: number): string {
  const wait = step.action === "call_tool" ? " and wait for its result before continuing" : "";
  return ` Next action: ${action(step, limit)}${wait}${instruction(step, limit)}`;
}

function plan(steps: readonly RepairStep[], limit: number): string {
  if (steps.length === 0) return "";
  const lines = steps
    .slice(0, MAX_STEPS)
    .map((step, index) => ` ${index + 1}. ${action(step, limit)}${instruction(step, limit)}`);
  const hidden = steps.length - MAX_STEPS;
  return (
    " Next actions: run these steps in order, not in parallel, and wait for each to finish." +
    lines.join("") +
    (hidden > 0 ? ` Then ${hidden} more steps.` : "")
  );
}

const verbs: Readonly<Record<RepairAction, string>> = {
  change_input: "change the input",
  call_tool: "call a tool",
  refresh_state: "refresh the state",
  retry_same_operation: "retry the same operation",
  ask_user: "ask the user",
  reconcile: "reconcile the operation",
  stop: "stop",
};

function action(step: RepairStep, limit: number): string {
  const verb = Object.hasOwn(verbs, step.action) ? verbs[step.action] : quote(step.action, limit);
  const tool = quote(step.tool, limit);
  if (tool === "") return verb;
  return step.action === "call_tool" ? `call ${tool}` : `${verb} (tool ${tool})`;
}

function instruction(step: RepairStep, limit: number): string {
  const text = sentence(quote(step.instruction, limit), limit);
  return text === "" ? "." : `: ${text}`;
}

function fields(label: string, names: readonly string[] | undefined, limit: number): string {
  if (!names?.length) return "";
  const shown = names.slice(0, MAX_FIELDS).map((name) => quote(name, limit));
  return ` ${label}: ${shown.join(", ")}${more(names.length - MAX_FIELDS)}.`;
}

function quote(text: unknown, limit: number): string {
  return typeof text === "string" ? bounded(text, limit) : "";
}
