/** Time, as the system has it or as a simulation does. Nothing else in the library reads it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` once, `ms` from now. What it returns cancels that. */
  after(ms: number, task: () => void): () => void;
}

/** The system's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
