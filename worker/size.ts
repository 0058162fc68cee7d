/** What everything counts, whatever it is; a text counts its characters instead. */
const UNIT = 8;

/** Whether plain data stays within so many characters. It looks at no more than it has to. */
export function isWithin(value: unknown, max: number): boolean {
  const seen = new Set<object>();
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0) {
    const next = open.pop();
    size += sizeOf(next);
    if (size > max) return false;
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const member of membersOf(next)) {
      open.push(member);
      // A list can be far longer than the message that it came in.
      if (open.length > max) return false;
    }
  }
  return true;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return UNIT + value.byteLength;
  if (value instanceof Blob) return UNIT + value.size;
  return UNIT;
}

function* membersOf(value: object): Generator<unknown> {
  if (ArrayBuffer.isView(value)) return;
  if (Array.isArray(value) || value instanceof Set) yield* value;
  else if (value instanceof Map) for (const pair of value) yield* pair;
  else for (const pair of Object.entries(value)) yield* pair;
}
