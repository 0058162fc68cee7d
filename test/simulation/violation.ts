/** Something happened that must never happen. */
export class Violation extends Error {}

/** @throws {Violation} unless it holds. */
export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Violation(otherwise);
}
