import { afterEach, expect, test, vi } from "vitest";
import { disposing } from "../../../src/disposable.js";
import { reportUnusedJournal } from "../../../src/unused-journal.js";
import { coordinated, KEY, order } from "../runtime/tab.js";

const silent = { execute: () => "done" };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("a console that throws costs the call, but leaves its key to be recovered", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {
    throw new Error("The console is broken.");
  });
  const { store, tab } = coordinated({ joined: true });
  const { call } = await tab(silent);
  await expect(call(undefined, order)).rejects.toThrow("The console is broken.");
  expect(store.records.get(KEY)).toEqual({ state: "in_doubt", executed: true });
});

test("a stored output that JSON can't hold is replayed as it is, and reported as unmeasurable", async () => {
  const { store, tab } = coordinated({ joined: true });
  store.records.set(KEY, { state: "completed", value: { cents: 1n } });
  const { call, stages } = await tab({ outputBudgetBytes: 1_000 });
  expect(await call(undefined, order)).toEqual({ cents: 1n });
  expect(stages()).toContain("output_unmeasurable");
});

test("users of a production build read no warning for developers", async () => {
  vi.stubEnv("NODE_ENV", "production");
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { call, stages } = await coordinated({ joined: true }).tab(silent);
  await call();
  expect(stages()).toContain("journal_unused");
  expect(warn).not.toHaveBeenCalled();
});

test("a page without a bundler, where there is no `process`, reports an unused journal quietly", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const emit = vi.fn();
  vi.stubGlobal("process", undefined);
  reportUnusedJournal({ name: "cancel_order" }, emit);
  vi.unstubAllGlobals();
  expect(emit).toHaveBeenCalledWith("journal_unused");
  expect(warn).not.toHaveBeenCalled();
});

test("an engine without Symbol.dispose still gives registrations that can be disposed", () => {
  const dispose = vi.fn();
  vi.stubGlobal("Symbol", {});
  const registration = disposing({ dispose });
  vi.unstubAllGlobals();
  registration.dispose();
  expect(dispose).toHaveBeenCalledOnce();
  expect(Object.getOwnPropertySymbols(registration)).toEqual([]);
});
