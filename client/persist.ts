/** Pauses between attempts, in milliseconds: the first, and the longest. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;

/** Repeats what has failed until it succeeds, with growing pauses, for as long as it is still wanted. */
export async function persist(work: () => Promise<unknown>, wanted = () => true): Promise<void> {
  for (let pause = FIRST_PAUSE; wanted(); pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      await work();
      return;
    } catch {
      // Whatever it was: there is nobody to tell, and the next attempt may succeed.
    }
  }
}
