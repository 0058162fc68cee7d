import { vi } from "vitest";
import { tasks } from "./port.js";

/** Stops the clock, also for all timers; whatever needs none goes on. */
export function stopTime(): void {
  vi.useFakeTimers({
    toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
  });
}

/** What can happen in the world between two ticks of its clock. */
const TASKS_A_TICK = 40;
const TICK_MS = 100;
/** Nothing in the client or the worker takes longer than this, also where workers hang one after the other. */
const MAX_MS = 120_000;

/** Lets this many milliseconds pass. */
export async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += TICK_MS) {
    await tasks(TASKS_A_TICK);
    vi.advanceTimersByTime(TICK_MS);
  }
  await tasks(TASKS_A_TICK);
}

/**
 * The answer of a worker that may let a moment pass first. If time is stopped, it passes in steps of that moment: what comes
 * before, such as a digest, takes as many tasks as it takes.
 */
export async function patiently<T>(answer: Promise<T>): Promise<T> {
  let settled = !vi.isFakeTimers();
  const settle = () => {
    settled = true;
  };
  answer.then(settle, settle);
  while (!settled) {
    await tasks(TASKS_A_TICK);
    if (!settled) vi.advanceTimersByTime(20);
  }
  return answer;
}

/** Lets as much time pass as a tab's sign of life outlasts its last call. */
export const linger = () => pass(200);

/** Lets time pass until the promise is settled. */
export async function inTime<T>(promise: Promise<T>): Promise<T> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  await until(() => settled);
  return promise;
}

/** Lets time pass until the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let passed = 0; !(await condition()); passed += TICK_MS) {
    if (passed >= MAX_MS) throw new Error(`It has not happened within ${MAX_MS} ms.`);
    await pass(TICK_MS);
  }
}
