/** Fails the check that runs. */
export function fail(reason: string): never {
  throw new Error(reason);
}

/** The subject openly lacks an optional feature, so the check that runs is skipped. */
export class Lacking extends Error {}

/** Skips the check that runs. */
export function lacking(feature: string): never {
  throw new Lacking(feature);
}

/** Compares JSON data, or `undefined`. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) fail(`${what} is ${got}, not ${wanted}`);
}

/** Gives what the work was rejected with. */
export async function expectRejection(
  work: () => Promise<unknown>,
  what: string,
): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return fail(`${what} succeeded, but must be refused`);
}
