import { describe, expect, it, vi } from "vitest";
import { unlessAborted } from "../../../src/abort.js";
import { leaving, never } from "./tab.js";

/** Runs the work and gives the rejections that nobody has handled by the end of it. */
async function unhandledIn(work: () => Promise<unknown>): Promise<unknown[]> {
  const seen = vi.fn<(reason: unknown) => void>();
  process.on("unhandledRejection", seen);
  try {
    await work();
    // Node tells of them once the microtasks are done.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("unhandledRejection", seen);
  }
  return seen.mock.calls.map(([reason]) => reason);
}

describe("work that a caller can leave", () => {
  it("gives its result, or fails with its own error, and keeps no listener", async () => {
    const { signal } = leaving();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const failure = new Error("no");
    await expect(unlessAborted(signal, () => 5)).resolves.toBe(5);
    await expect(unlessAborted(signal, () => Promise.reject(failure))).rejects.toBe(failure);
    await expect(
      unlessAborted(signal, () => {
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect(removed.mock.calls.map(([, stop]) => stop)).toEqual(
      added.mock.calls.map(([, stop]) => stop),
    );
  });

  it("is not begun for a caller who has left already", async () => {
    const { signal, reason, leave } = leaving();
    leave();
    const work = vi.fn();
    await expect(unlessAborted(signal, work)).rejects.toBe(reason);
    expect(work).not.toHaveBeenCalled();
  });

  it("ends at once with the caller's reason, and what it does later disturbs nobody", async () => {
    const { signal, reason, leave } = leaving();
    let fail: (error: Error) => void = never;
    const work = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    const unhandled = await unhandledIn(async () => {
      const ended = unlessAborted(signal, work);
      leave();
      await expect(ended).rejects.toBe(reason);
      fail(new Error("late"));
    });
    expect(unhandled).toEqual([]);
  });

  it("that throws in the moment in which the caller leaves reports one failure, handled", async () => {
    const { signal, leave } = leaving();
    const failure = new Error("the dialog was closed");
    const unhandled = await unhandledIn(async () => {
      const ended = unlessAborted(signal, () => {
        leave();
        throw failure;
      });
      await expect(ended).rejects.toBe(failure);
    });
    expect(unhandled).toEqual([]);
  });
});
