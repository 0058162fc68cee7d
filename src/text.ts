/** How much text is looked at for each character that may be kept. */
const SCAN_FACTOR = 8;

// U+FEFF is white space to a regular expression, but has no width; U+0085 is a line break to Unicode only.
const SPACE = /[^\S\uFEFF]|\u0085/gu;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const SENTENCE_END = /[.!?…。！？]$/u;

/** The first `length` code units, or one fewer where that would cut a surrogate pair. */
function start(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, length).replace(/\p{Surrogate}$/u, "");
}

/**
 * Text that is safe to put in a message, of at most `max` UTF-16 code units (`max` is at least 1).
 *
 * White space of any kind becomes single spaces. Characters that cannot be seen (control, direction, zero-width,
 * tag characters) are removed, since they can hide text from a person that an agent reads; lone surrogates become
 * U+FFFD. Text that was cut ends in "…". Only the beginning of a long text is looked at.
 */
export function bounded(text: string, max: number): string {
  const head = start(text, max * SCAN_FACTOR);
  const clean = head
    .replace(SPACE, " ")
    .replace(INVISIBLE, "")
    .replace(LONE_SURROGATE, "\uFFFD")
    .replace(/ +/g, " ")
    .trim();
  if (clean.length <= max && head.length === text.length) return clean;
  return `${start(clean, max - 1).trimEnd()}…`;
}

/** {@link bounded} text with a full stop where it has no end of its own. Blank text stays empty. */
export function sentence(text: string, max: number): string {
  const clean = bounded(text, max);
  return clean === "" || SENTENCE_END.test(clean) ? clean : `${clean}.`;
}

/**
 * As many of the names as fit into `room` characters, at most `max`, and how many more there are. The first is
 * always among them, cut if it must be.
 */
export function listed(names: readonly string[], room: number, max = names.length): string {
  for (let count = Math.min(names.length, max, room); count > 1; count--) {
    const text = names.slice(0, count).join(", ") + more(names.length - count);
    if (text.length <= room) return text;
  }
  const [first = ""] = names;
  const rest = more(names.length - 1);
  return bounded(first, room - rest.length) + rest;
}

/** The end of a list that was cut by `count` names. */
export function more(count: number): string {
  return count > 0 ? ` and ${count} more` : "";
}
