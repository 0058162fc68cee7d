const advice = {
  name_not_verb_noun: "Name the tool verb_noun in lower snake case, such as search_products.",
  description_too_short: "Say what the tool does in four words or more.",
  open_object:
    "Any object is accepted here. Set `additionalProperties: false`, or `unevaluatedProperties: false` beside " +
    "combinators; where no object is meant, give a `type`.",
  undocumented_argument: "Give the argument a `description` that tells an agent what to pass.",
  unbounded_string:
    "Text of any length is accepted here. Set `maxLength`, `enum`, `const`, or a `pattern` that is anchored at both " +
    "ends and repeats nothing without limit.",
  unbounded_array:
    "Any number of items is accepted here. Set `maxItems`, or close the tuple with `items: false`.",
  unresolved_reference:
    "The reference leads to no schema inside of `inputSchema`, which is all that an agent sees.",
  read_not_marked:
    "The name says that the tool only reads. Set `annotations: { readOnlyHint: true }`, or choose another verb.",
  recover_missing:
    "Add `recover`: without it, an operation whose answer was lost stays in doubt for good.",
  journal_missing:
    "Add `journal: { store }`: an idempotency store of the tool's own needs a journal beside it.",
  journal_of_one_tab:
    "Only one tab can read this journal, so no other tab can recover what that tab left. Use a journal with " +
    '`scope: "profile"`.',
  verify_missing:
    "Add `verify`, which reads the authoritative state, or mark a tool that only reads with `readOnlyHint`.",
  output_budget_invalid: "Set `outputBudgetBytes` to a positive integer, or leave it out.",
} as const;

/** Tells the findings apart; `docs/readiness.md` says what to do about each. */
export type ReadinessCode = keyof typeof advice;

/** Something about a tool that makes it harder or riskier for an agent to use. */
export interface ReadinessFinding {
  readonly code: ReadinessCode;
  /** JSON Pointer into the tool. That of a missing field ends in the field's own name. */
  readonly path: string;
  /** What to do about it. It quotes nothing of the tool. */
  readonly message: string;
}

/** The finding of this kind at a place in the tool. */
export function finding(code: ReadinessCode, path: string): ReadinessFinding {
  return Object.freeze({ code, path, message: advice[code] });
}
