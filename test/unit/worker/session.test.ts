import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { PROTOCOL } from "../../../worker/names.js";
import type { CoordinatorApi, Reply } from "../../../worker/protocol.js";
import { createSession } from "../../../worker/session.js";
import { World } from "./world.js";

let world: World;
let session: CoordinatorApi;

const connect = (to = world): CoordinatorApi => {
  const coordinator = to.coordinator();
  return createSession({ instance: "run-1", coordinate: async () => coordinator });
};
const terms = { durability: "strict", completedMs: 1_000, maxCompleted: 10 } as const;
const greeting = { protocol: PROTOCOL, namespace: "shop", terms };

beforeEach(async () => {
  world = new World();
  await world.tab("tab");
  session = connect();
  await session.hello(greeting);
});

const begun = {
  key: "order-1",
  tool: "cancel_order",
  call: "a",
  attempt: 0,
  owner: "tab",
  reserve: false,
};
const claim = { key: "order-1", fence: 1, call: "a" };
const intended = { ...claim, tool: "cancel_order" };

type Method = keyof CoordinatorApi;

/** A valid message for every method. */
const valid: Record<Method, readonly unknown[]> = {
  hello: [greeting],
  ping: [],
  begin: [begun],
  wait: ["a"],
  leave: ["a"],
  freeze: [["tab"]],
  start: [claim, { fresh: false }],
  complete: [intended, { receipt: 1 }],
  release: [claim],
  abandon: [claim, { executed: false }],
  completed: [{ key: "order-1", tool: "cancel_order" }],
  readEntry: ["order-1"],
  writeEntry: [claim, { receipt: 1 }],
  removeEntry: [claim],
  list: [{ prefix: "", limit: 100 }],
  get: ["order-1", { output: false }],
  unreadable: ["order-1", 1],
  health: [],
  changes: [{ count: 0, fence: 0 }],
  resolve: ["order-1", { resolution: { outcome: "not_applied" }, id: "r" }],
  purge: [{ key: "order-1" }, { inDoubt: false }],
};
const methods = Object.keys(valid) as Method[];

/** Sends what no typed client would. */
const send = (method: Method, args: readonly unknown[], to = session): Promise<Reply<unknown>> =>
  Reflect.apply(to[method], to, args);

const refused = (message: unknown = expect.any(String)) => ({
  instance: "run-1",
  ok: false,
  failure: { kind: "refused", message },
});
const accepted = (value: unknown) => ({ instance: "run-1", ok: true, value });

describe("a session", () => {
  it("offers the protocol's methods and nothing else, not even those of every object", () => {
    expect(Object.keys(session).sort()).toEqual([...methods].sort());
    expect(Object.getPrototypeOf(session)).toBeNull();
    expect(Object.isFrozen(session)).toBe(true);
  });

  it.each(methods)("names its instance in every reply to %s", async (method) => {
    const stranger = connect();
    for (const reply of [
      await send(method, valid[method]),
      await send(method, []),
      await send(method, valid[method], stranger),
    ]) {
      expect(reply.instance).toBe("run-1");
    }
  });

  it.each(methods.filter((method) => method !== "hello" && method !== "ping"))(
    "that has not said hello does not answer %s",
    async (method) => {
      const { transactions } = world;
      expect(await send(method, valid[method], connect())).toEqual({
        instance: "run-1",
        ok: false,
        failure: { kind: "unknown_session" },
      });
      expect(world.transactions).toBe(transactions);
    },
  );

  it("of another protocol version is refused, in words that say to reload the page", async () => {
    const stranger = connect();
    for (const protocol of [PROTOCOL + 1, 0]) {
      expect(await stranger.hello({ ...greeting, protocol })).toEqual(
        refused(expect.stringMatching(/protocol.*reload the page/)),
      );
    }
    expect(await stranger.begin(begun)).toMatchObject({ failure: { kind: "unknown_session" } });
  });

  it("answers a call that is not known, after a new run, so that the tab begins again", async () => {
    expect(await session.wait("a")).toMatchObject({ failure: { kind: "unknown_call" } });
  });

  it("carries one operation from begin to replay", async () => {
    expect(await session.begin(begun)).toEqual(accepted(expect.objectContaining({ fence: 1 })));
    expect(await session.begin({ ...begun, call: "b" })).toEqual(accepted({ state: "waiting" }));
    expect(await session.start(claim, { fresh: false })).toEqual(accepted({ state: "settled" }));
    expect(await session.writeEntry(claim, "r-1")).toEqual(accepted({ state: "settled" }));
    expect(await session.readEntry("order-1")).toEqual(accepted({ entry: "r-1" }));
    expect(await session.removeEntry(claim)).toEqual(accepted({ state: "settled" }));
    expect(await session.readEntry("order-1")).toEqual(accepted(null));
    expect(await session.completed(intended)).toEqual(accepted(null));
    expect(await session.complete(intended, 7)).toEqual(accepted({ state: "settled" }));
    expect(await session.wait("b")).toEqual(accepted({ state: "completed", output: 7, fence: 1 }));
    expect(await session.completed(intended)).toEqual(accepted({ output: 7 }));
  });

  it("lets a caller leave, release and abandon", async () => {
    await session.begin(begun);
    await session.begin({ ...begun, call: "b" });
    const waiting = session.wait("b");
    expect(await session.leave("b")).toEqual(accepted(null));
    expect(await waiting).toEqual(accepted({ state: "dropped" }));
    expect(await session.release(claim)).toEqual(accepted({ state: "settled" }));
    await session.begin(begun);
    const second = { ...claim, fence: 2 };
    expect(await session.abandon(second, { executed: true })).toEqual(
      accepted({ state: "settled" }),
    );
    expect(await world.record()).toMatchObject({ state: "in_doubt", executed: true });
  });
});

describe("a failure of the storage", () => {
  const failing = async (failure: unknown) => {
    world.failure = failure;
    return session.begin(begun);
  };

  it("crosses as data that names it", async () => {
    const full = new DOMException("The disk is full.", "QuotaExceededError");
    expect(await failing(full)).toEqual({
      instance: "run-1",
      ok: false,
      failure: { kind: "storage", name: "QuotaExceededError", message: "The disk is full." },
    });
  });

  it.each(["just a text", null, 7])("crosses as an error when it is %j", async (failure) => {
    expect(await failing(failure)).toMatchObject({
      failure: { kind: "storage", name: "Error", message: String(failure) },
    });
  });

  it("in finding the coordinator is the answer to hello", async () => {
    const locksDenied = new DOMException("No locks here.", "SecurityError");
    const stranger = createSession({
      instance: "run-1",
      coordinate: () => Promise.reject(locksDenied),
    });
    expect(await stranger.hello(greeting)).toMatchObject({
      failure: { kind: "storage", name: "SecurityError" },
    });
  });
});

describe("a message that no client sends", () => {
  it.each(methods.filter((method) => method !== "ping" && method !== "health"))(
    "is refused as data, whatever it is: %s",
    async (method) => {
      const { transactions } = world;
      const text = (value: unknown) => typeof value === "string" && value.length > 0;
      // A list of owners is what `freeze` is sent, though nobody has heard of these.
      const owners = (value: unknown) => Array.isArray(value) && value.every(text);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.anything({ withNullPrototype: true }), { maxLength: 3 }),
          async (args) => {
            fc.pre(!text(args[0]) && !owners(args[0]));
            expect(await send(method, args)).toEqual(refused());
          },
        ),
      );
      expect(world.transactions).toBe(transactions);
    },
  );

  const text = [undefined, null, 7, "", {}, ["order-1"], "x".repeat(2_049)];
  const optional = text.filter((value) => value !== undefined);
  const count = [undefined, null, "1", -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1n];
  const flag = [undefined, null, 0, 1, "true"];
  /** For each field of each argument: what it must not be. */
  const wrong: [method: Method, argument: number, fields: Record<string, readonly unknown[]>][] = [
    ["hello", 0, { protocol: count, namespace: [...text, "x".repeat(201)] }],
    [
      "begin",
      0,
      {
        key: [...text, "x".repeat(1_025)],
        tool: [undefined, null, 7, {}, "x".repeat(2_049)],
        call: text,
        attempt: count,
        owner: text,
        reserve: flag,
        fingerprint: optional,
        journalKey: optional,
      },
    ],
    ["start", 0, { key: text, fence: count, call: text }],
    ["start", 1, { fresh: flag, journalKey: optional }],
    [
      "complete",
      0,
      { key: text, fence: count, call: text, tool: [null, 7], fingerprint: optional },
    ],
    ["release", 0, { key: text, fence: count, call: text }],
    ["abandon", 0, { key: text, fence: count, call: text }],
    ["abandon", 1, { executed: flag }],
    ["completed", 0, { key: text, tool: [null, 7], fingerprint: optional }],
    ["writeEntry", 0, { key: text, fence: count, call: text }],
    ["removeEntry", 0, { key: text, fence: count, call: text }],
    [
      "list",
      0,
      {
        state: ["free", "", null, 7],
        prefix: [undefined, null, 7, "x".repeat(1_025)],
        limit: [...count, 0, 1_001],
        cursor: [...optional, ""],
      },
    ],
    ["get", 1, { output: flag }],
    ["changes", 0, { count, fence: count }],
    [
      "resolve",
      1,
      {
        resolution: [undefined, null, 7, {}, { outcome: "unknown" }],
        label: [null, 7, "", "x".repeat(201)],
        id: text,
      },
    ],
    ["purge", 0, { prefix: [null, 7, "x".repeat(1_025)], key: text }],
    ["purge", 1, { inDoubt: flag }],
  ];
  const cases = wrong.flatMap(([method, argument, fields]) =>
    Object.entries(fields).map(([field, values]) => ({ method, argument, field, values })),
  );

  it.each(cases)("is refused for one wrong field: $method, $field", async (each) => {
    const { method, argument, field, values } = each;
    const { transactions } = world;
    for (const value of values) {
      const args = valid[method].map((given, index) =>
        index === argument ? Object.assign({}, given, { [field]: value }) : given,
      );
      expect(await send(method, args)).toEqual(refused(expect.stringContaining(field)));
    }
    expect(world.transactions).toBe(transactions);
  });

  it("is refused for a list of owners that is too long, or has none in it", async () => {
    for (const owners of [Array(1_001).fill("tab"), [""], [7], "tab", { length: 1 }]) {
      expect(await send("freeze", [owners])).toEqual(refused(expect.stringContaining("owners")));
    }
  });

  it("reaches no record with fields that it should not have", async () => {
    await send("begin", [{ ...begun, state: "completed", output: 1, fence: 99, takeover: true }]);
    expect(await world.record()).toMatchObject({ state: "claimed", fence: 1, takeover: false });
    expect(await world.record()).not.toHaveProperty("output");
  });
});

describe("a message at the bounds", () => {
  it("with a key of 1,024 characters is answered", async () => {
    const key = "x".repeat(1_024);
    expect(await session.begin({ ...begun, key })).toMatchObject({ ok: true });
    expect(await session.readEntry(key)).toEqual(accepted(null));
  });

  it("with an output or an entry of 4 Mi characters is stored, and a larger one is refused in words", async () => {
    const bound = 4 * 1_024 * 1_024;
    await session.begin(begun);
    expect(await session.writeEntry(claim, "x".repeat(bound))).toMatchObject({ ok: true });
    for (const answer of [
      await session.writeEntry(claim, "x".repeat(bound + 1)),
      await session.complete(intended, "x".repeat(bound + 1)),
    ]) {
      expect(answer).toMatchObject({
        ok: false,
        failure: { name: "QuotaExceededError", message: expect.stringContaining("4194304") },
      });
    }
    expect(await world.record()).toMatchObject({ state: "claimed" });
    expect(await session.complete(intended, "x".repeat(bound))).toMatchObject({ ok: true });
  });

  it("of a caller that names no tool, as stores may be called, is answered", async () => {
    expect(await session.begin({ ...begun, tool: "" })).toMatchObject({ ok: true });
    expect(await session.complete({ ...intended, tool: "" }, 1)).toMatchObject({ ok: true });
  });
});
