import type { Clock } from "./clock.js";

/** Pauses between attempts, in milliseconds: the first, and the longest. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;

/**
 * Repeats in the background what has failed, with growing pauses: until it succeeds, for as long as it is wanted, and for
 * so many attempts.
 */
export async function persist(
  work: () => Promise<unknown>,
  {
    clock,
    attempts = Number.POSITIVE_INFINITY,
    wanted = () => true,
  }: { readonly clock: Clock; readonly attempts?: number; readonly wanted?: () => boolean },
): Promise<void> {
  let pause = FIRST_PAUSE;
  for (let attempt = 0; attempt < attempts && wanted(); attempt++) {
    await new Promise<void>((resolve) => clock.after(pause, resolve));
    pause = Math.min(2 * pause, LONGEST_PAUSE);
    try {
      await work();
      return;
    } catch {
      // Whatever it was: there is nobody to tell, and the next attempt may succeed.
    }
  }
}
