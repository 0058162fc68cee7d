import { describe, expect, it, vi } from "vitest";
import { OutcomeUnknownError, OutputError } from "../../../src/index.js";
import {
  cancelled,
  coordinated,
  KEY,
  leaving,
  never,
  type OrderTool,
  saying,
  untyped,
  writing,
} from "./tab.js";

const failure = new Error("the answer was lost");
const fail = () => {
  throw failure;
};

/** When the handler throws: before it has written its journal, or after. */
const handlers = { none: fail, written: writing(fail) } as const;
type Entry = keyof typeof handlers;

async function fails(parts: Partial<OrderTool>, signal?: AbortSignal) {
  const kit = coordinated();
  const tab = await kit.tab(parts);
  const ended = await tab.call(signal).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return { ...kit, stages: tab.stages().slice(3), ended, record: kit.store.records.get(KEY) };
}

const entries: Entry[] = ["none", "written"];

describe("the handler threw", () => {
  it.each(entries)(
    "and recover has found the effect: verify, complete, return (entry %s)",
    async (entry) => {
      const recover = saying({ recovered: true, output: cancelled });
      const verify = vi.fn(() => true);
      const { ended, record, stages, trace } = await fails({
        execute: handlers[entry],
        recover,
        verify,
      });
      expect(ended).toEqual({ value: cancelled });
      expect(record).toEqual({ state: "completed", value: cancelled });
      expect(stages).toEqual(["recovered", "verified", "succeeded"]);
      expect(trace.slice(-4)).toEqual(["recover", "verify", "complete", "journal.remove"]);
    },
  );

  it.each(entries)(
    "and recover says unknown: OutcomeUnknownError with its reason, in doubt (entry %s)",
    async (entry) => {
      const recover = saying({ recovered: false, outcome: "unknown", reason: "No receipt" });
      const { ended, record, stages } = await fails({ execute: handlers[entry], recover });
      expect(ended).toMatchObject({ error: { code: "outcome_unknown", cause: failure } });
      expect(ended).toHaveProperty("error.message", expect.stringContaining("No receipt"));
      expect(record).toEqual({ state: "in_doubt", executed: false });
      expect(stages).toEqual(["outcome_unknown"]);
    },
  );

  it.each(entries)(
    "and recover threw too: OutcomeUnknownError with both causes, in doubt (entry %s)",
    async (entry) => {
      const offline = new Error("offline");
      const recover = () => Promise.reject(offline);
      const { ended, record } = await fails({ execute: handlers[entry], recover });
      expect(ended).toHaveProperty("error.cause.errors", [failure, offline]);
      expect(record).toMatchObject({ state: "in_doubt" });
    },
  );

  it.each([undefined, null, true, {}, { recovered: "yes", output: 1 }])(
    "and recover answered %j, which says nothing: OutcomeUnknownError, in doubt",
    async (answer) => {
      const { ended, record } = await fails({ execute: fail, recover: () => untyped(answer) });
      expect(ended).toHaveProperty("error", expect.any(OutcomeUnknownError));
      expect(record).toMatchObject({ state: "in_doubt" });
    },
  );

  it.each(entries)(
    "and recover says not applied: released, with the handler's own error (entry %s)",
    async (entry) => {
      const recover = saying({ recovered: false, outcome: "not_applied" });
      const { ended, record, stages } = await fails({ execute: handlers[entry], recover });
      expect(ended).toEqual({ error: failure });
      expect(record).toBeUndefined();
      expect(stages).toEqual(["failed"]);
    },
  );

  const unsure = [
    ["recover found nothing", saying({ recovered: false })],
    ["there is no recover", undefined],
  ] as const;

  it.each(unsure)(
    "before it wrote its journal, and %s: released, with the handler's own error",
    async (_, recover) => {
      const { ended, record } = await fails({ execute: fail, ...(recover && { recover }) });
      expect(ended).toEqual({ error: failure });
      expect(record).toBeUndefined();
    },
  );

  it.each(unsure)(
    "after it wrote its journal, and %s: OutcomeUnknownError, in doubt",
    async (_, recover) => {
      const { ended, record, journal } = await fails({
        execute: writing(fail),
        ...(recover && { recover }),
      });
      expect(ended).toHaveProperty("error", expect.any(OutcomeUnknownError));
      expect(ended).toHaveProperty("error.cause", failure);
      expect(record).toEqual({ state: "in_doubt", executed: false });
      expect(journal.entries.get(KEY)).toEqual({ orderId: "o-1" });
    },
  );

  it.each(unsure)(
    "with a journal that can't be read, and %s: OutcomeUnknownError, in doubt",
    async (_, recover) => {
      const { journal, store, tab } = coordinated();
      journal.before.read = () => Promise.reject(new DOMException("gone", "NotReadableError"));
      const { call } = await tab({ execute: fail, ...(recover && { recover }) });
      await expect(call()).rejects.toMatchObject({ code: "outcome_unknown", cause: failure });
      expect(store.records.get(KEY)).toEqual({ state: "in_doubt", executed: false });
    },
  );

  it("after it took its entry back, because the server refused: released, the key is free again", async () => {
    const { ended, record } = await fails({
      execute: async (_, { operation }) => {
        await operation?.write("about to cancel");
        await operation?.remove();
        throw failure;
      },
    });
    expect(ended).toEqual({ error: failure });
    expect(record).toBeUndefined();
  });

  it("and recover is told the error, the input and the journal", async () => {
    const recover = vi.fn<NonNullable<OrderTool["recover"]>>(async ({ operation, ...told }) => {
      expect(told).toMatchObject({ error: failure, input: { orderId: "o-1" } });
      expect(await operation?.read()).toEqual({ orderId: "o-1" });
      return { recovered: true, output: "found" };
    });
    await expect(fails({ execute: writing(fail), recover })).resolves.toMatchObject({
      ended: { value: "found" },
    });
  });

  it("and the output that recover found is refused by verify: in doubt, with the effect on record", async () => {
    const { ended, record, trace } = await fails({
      execute: fail,
      recover: saying({ recovered: true, output: cancelled }),
      verify: () => false,
    });
    expect(ended).toMatchObject({ error: { code: "verification_failed" } });
    expect(record).toEqual({ state: "in_doubt", executed: true });
    expect(trace).not.toContain("complete");
  });

  it("and the output that recover found is no JSON data: OutputError, in doubt", async () => {
    const { ended, record } = await fails({
      execute: fail,
      recover: saying({ recovered: true, output: { fresh: () => {} } }),
    });
    expect(ended).toMatchObject({ error: { code: "output_not_serializable", path: "/fresh" } });
    expect(record).toEqual({ state: "in_doubt", executed: true });
  });
});

describe("the handler threw after the caller had left", () => {
  const left = async (entry: Entry) => {
    const { signal, reason, leave } = leaving();
    const recover = vi.fn(saying({ recovered: true, output: cancelled }));
    const execute: OrderTool["execute"] = () => {
      leave();
      throw failure;
    };
    const result = await fails(
      { execute: entry === "written" ? writing(execute) : execute, recover },
      signal,
    );
    expect(result.ended).toEqual({ error: reason });
    expect(recover).not.toHaveBeenCalled();
    return result;
  };

  it("with no entry: recover is not asked, released, the abort reason", async () => {
    const { record, stages } = await left("none");
    expect(record).toBeUndefined();
    expect(stages).toEqual(["failed"]);
  });

  it("with an entry: recover is not asked, in doubt, the abort reason", async () => {
    const { record } = await left("written");
    expect(record).toEqual({ state: "in_doubt", executed: false });
  });

  it("while recover was asked: in doubt, the abort reason", async () => {
    const { signal, reason, leave } = leaving();
    const recover = () => {
      leave();
      return never();
    };
    const { ended, record } = await fails({ execute: fail, recover }, signal);
    expect(ended).toEqual({ error: reason });
    expect(record).toEqual({ state: "in_doubt", executed: false });
  });
});

describe("the handler returned what is no JSON data, so its effect has happened", () => {
  const execute = () => ({ amount: 5n });

  it.each([
    ["recover found nothing", saying({ recovered: false })],
    ["there is no recover", undefined],
  ] as const)("and %s: in doubt although the journal was never written", async (_, recover) => {
    const { ended, record } = await fails({ execute, ...(recover && { recover }) });
    expect(ended).toHaveProperty("error.code", "outcome_unknown");
    expect(ended).toHaveProperty("error.cause", expect.any(OutputError));
    expect(record).toEqual({ state: "in_doubt", executed: true });
  });

  it("and recover gives the output as data: complete, return", async () => {
    const recover = saying({ recovered: true, output: { amount: "5" } });
    const { ended, record, stages } = await fails({ execute, recover });
    expect(ended).toEqual({ value: { amount: "5" } });
    expect(record).toEqual({ state: "completed", value: { amount: "5" } });
    expect(stages).toEqual(["recovered", "succeeded"]);
  });

  it("and recover says not applied: released, with the OutputError", async () => {
    const recover = saying({ recovered: false, outcome: "not_applied" });
    const { ended, record } = await fails({ execute, recover });
    expect(ended).toMatchObject({ error: { code: "output_not_serializable", path: "/amount" } });
    expect(record).toBeUndefined();
  });

  it("and the caller has left: in doubt, with the effect on record", async () => {
    const { signal, reason, leave } = leaving();
    const { ended, record } = await fails(
      {
        execute: () => {
          leave();
          return Symbol("no data");
        },
      },
      signal,
    );
    expect(ended).toEqual({ error: reason });
    expect(record).toEqual({ state: "in_doubt", executed: true });
  });
});
