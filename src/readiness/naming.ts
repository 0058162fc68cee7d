import { isRecord } from "./data.js";
import { finding, type ReadinessFinding } from "./finding.js";

const VERB_NOUN = /^[a-z]+(?:_[a-z0-9]+)+$/;
const FIRST_WORD = /^[A-Z]?[a-z]+/;
const MIN_WORDS = 4;

/** First words of a name which say that the tool changes nothing (listed in `docs/readiness.md`). */
export const readingVerbs: readonly string[] = [
  "browse",
  "check",
  "compare",
  "count",
  "describe",
  "fetch",
  "find",
  "get",
  "inspect",
  "list",
  "look",
  "lookup",
  "preview",
  "query",
  "read",
  "search",
  "show",
  "view",
];

/** What an agent sees first: the name, the description, and whether a name that promises to read is kept. */
export function checkNaming(
  { name, description }: Readonly<Record<string, unknown>>,
  readOnly: boolean,
): ReadinessFinding[] {
  const found: ReadinessFinding[] = [];
  const text = typeof name === "string" ? name : "";
  if (!VERB_NOUN.test(text)) found.push(finding("name_not_verb_noun", "/name"));
  if (typeof description !== "string" || !hasWords(description, MIN_WORDS)) {
    found.push(finding("description_too_short", "/description"));
  }
  const [verb = ""] = FIRST_WORD.exec(text) ?? [];
  if (!readOnly && readingVerbs.includes(verb.toLowerCase())) {
    found.push(finding("read_not_marked", "/annotations/readOnlyHint"));
  }
  return found;
}

/** Counts as the language does: Japanese and Thai put no spaces between words. */
function hasWords(text: string, wanted: number): boolean {
  const words = new Intl.Segmenter("en", { granularity: "word" });
  let count = 0;
  // Only the beginning: segmenting takes quadratic time.
  for (const { isWordLike } of words.segment(text.slice(0, 500))) {
    if (isWordLike) count += 1;
    if (count === wanted) return true;
  }
  return false;
}

/** `annotations.readOnlyHint`, the only word that a tool changes nothing. */
export function isReadOnly({ annotations }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(annotations) && annotations.readOnlyHint === true;
}
