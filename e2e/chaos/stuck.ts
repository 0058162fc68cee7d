import type { MadeCall, Stillness } from "./chronicle.js";

/** How long a call may go on after its owner has settled or died, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * The calls that went on for too long. What a call may wait for is another call of its key that ends, with its document or
 * without, and a document with such a call that stands still: it lives, and its key is its own. Each begins the time anew.
 */
export function stuckCalls(
  calls: readonly MadeCall[],
  stillnesses: readonly Stillness[],
): MadeCall[] {
  const byKey = groupBy(calls, ({ key }) => key);
  const byDocument = groupBy(stillnesses, ({ document }) => document);
  return calls.filter((call) => {
    const equal = (byKey.get(call.key) ?? []).filter((other) => overlap(call, other));
    const excuses = equal.flatMap((other) => {
      const still = (byDocument.get(other.document) ?? []).filter((span) => overlap(span, other));
      const ended = { from: other.to, to: other.to };
      return other === call ? still : [ended, ...still];
    });
    return longestWithout(call, excuses) > PATIENCE_MS;
  });
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const overlap = (a: Span, b: Span) => a.from <= b.to && b.from <= a.to;

/** The longest part of a span in which none of the others lies. */
function longestWithout(span: Span, others: readonly Span[]): number {
  let longest = 0;
  let since = span.from;
  for (const { from, to } of [...others].sort((a, b) => a.from - b.from)) {
    longest = Math.max(longest, Math.min(from, span.to) - since);
    since = Math.max(since, to);
  }
  return Math.max(longest, span.to - since);
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
