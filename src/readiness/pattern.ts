/** One token of a regular expression, as far as its length is concerned. The order of the alternatives matters. */
const TOKEN =
  /\\(?<escaped>.)|(?<set>\[(?:\\.|[^\]\\])*\])|(?<look>\(\?<?[=!])|(?<open>\()|(?<close>\))|(?<endless>[*+]|\{\d+,\})|./gsu;

/**
 * Whether only texts up to some length can match: every alternative is anchored at both ends, and nothing that takes up
 * text is repeated without limit. Says no where it can't tell: for back references, and for what does not compile.
 */
export function isBoundedPattern(pattern: string): boolean {
  if (!compiles(pattern)) return false;
  /** For each open group, whether it only looks around and takes up no text. */
  const groups: boolean[] = [];
  let looking = 0;
  let first = true;
  let previous = "";
  for (const { 0: token, groups: kind } of pattern.matchAll(TOKEN)) {
    if (kind?.escaped !== undefined && /[1-9k]/.test(kind.escaped)) return false;
    if (kind?.endless !== undefined && looking === 0) return false;
    if (groups.length === 0) {
      if (first && token !== "^") return false;
      first = token === "|";
      if (first && previous !== "$") return false;
    }
    if (kind?.look !== undefined || kind?.open !== undefined) {
      groups.push(kind.look !== undefined);
      if (kind.look !== undefined) looking += 1;
    } else if (kind?.close !== undefined && groups.pop()) {
      looking -= 1;
    }
    previous = token;
  }
  return previous === "$" && !first;
}

/** As validators do: with the flag `u`, and without `m`, so that `^` and `$` are the ends of the whole text. */
function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
