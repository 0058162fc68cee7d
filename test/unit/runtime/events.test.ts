import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import {
  createSignett,
  type LifecycleEvent,
  type Observer,
  type Stage,
  ToolError,
} from "../../../src/index.js";
import { TestHost } from "../../support/runtime.js";
import {
  cancelled,
  coordinated,
  KEY,
  leaving,
  type OrderTool,
  openTab,
  order,
  orderTool,
  saying,
  writing,
} from "./tab.js";

const lost = () => Promise.reject(new Error("the answer was lost"));

describe("the events of one call", () => {
  const yes = () => true;
  const no = () => false;
  const open: Stage[] = ["started", "validated", "authorized"];
  const paths: [string, Partial<OrderTool>, Stage[]][] = [
    ["a plain success", {}, [...open, "executed", "succeeded"]],
    ["a denial", { authorize: no }, ["started", "validated", "failed"]],
    [
      "a confirmed and verified success",
      { confirm: yes, outputBudgetBytes: 1_000, verify: yes },
      [
        ...open,
        ...(["confirmation_requested", "confirmed", "executed"] as const),
        ...(["output_validated", "verified", "succeeded"] as const),
      ],
    ],
    ["a decline", { confirm: no }, [...open, "confirmation_requested", "declined", "failed"]],
    [
      "an effect-only decline",
      { confirm: { mode: "effect-only", request: no } },
      [...open, "confirmation_requested", "declined", "failed"],
    ],
    ["a failure", { execute: lost }, [...open, "failed"]],
    ["an unknown outcome", { execute: writing(lost) }, [...open, "outcome_unknown"]],
    [
      "a recovery",
      { execute: lost, recover: saying({ recovered: true, output: 1 }), verify: yes },
      [...open, "recovered", "verified", "succeeded"],
    ],
    ["a result that is not verified", { verify: no }, [...open, "executed", "failed"]],
  ];

  it.each(paths)("come in their order for %s", async (_, parts, expected) => {
    const { tab } = coordinated();
    const { call, stages } = await tab(parts);
    await call().catch(() => {});
    expect(stages()).toEqual(expected);
  });

  it("share an id of their own, the tool's name and a clock that starts at `started`", async () => {
    const now = Date.now();
    let ticks = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now + ticks++);
    const { call, events } = await openTab(orderTool());
    await Promise.all([call(), call()]);
    clock.mockRestore();
    const ids = new Set(events.map(({ invocationId }) => invocationId));
    expect(ids.size).toBe(2);
    for (const id of ids) {
      const own = events.filter(({ invocationId }) => invocationId === id);
      const started = own[0]?.timestamp ?? Number.NaN;
      expect(own.map(({ stage }) => stage)).toEqual([
        ...["started", "validated", "authorized", "executed", "succeeded"],
      ]);
      for (const { name, timestamp, durationMs } of own) {
        expect(name).toBe("cancel_order");
        expect(Math.abs(Date.now() - timestamp)).toBeLessThan(60_000);
        expect(durationMs).toBe(timestamp - started);
      }
    }
  });

  it("never report a negative duration, also when the clock is set back", async () => {
    const now = vi.spyOn(Date, "now");
    let time = 1_000_000;
    now.mockImplementation(() => (time -= 1_000));
    try {
      const { call, events } = await openTab(orderTool());
      await call();
      expect(events.map(({ durationMs }) => durationMs)).toEqual(events.map(() => 0));
    } finally {
      now.mockRestore();
    }
  });

  it("hold no input, output, context, message or stack, whatever happens", async () => {
    const secret = "4111-1111";
    const execute = [
      () => secret,
      () => Promise.reject(new Error(secret)),
      writing(() => Promise.reject(new ToolError({ code: "declined", message: secret }))),
      () => Symbol(secret),
    ];
    for (const handler of execute) {
      const { store, tab } = coordinated();
      const { call, events } = await tab({
        execute: writing(handler),
        recover: () => Promise.reject(new Error(secret)),
      });
      await call(undefined, { orderId: secret }).catch(() => {});
      await call(undefined, { [secret]: secret }).catch(() => {});
      store.before.begin = () => Promise.reject(new Error(secret));
      await call(undefined, { orderId: secret }).catch(() => {});
      expect(events.length).toBeGreaterThan(6);
      for (const event of events) {
        expect(JSON.stringify(event)).not.toContain(secret);
        expect(Object.isFrozen(event)).toBe(true);
        for (const field of Object.keys(event)) {
          expect(["invocationId", "name", "stage", "timestamp", "durationMs", "error"]).toContain(
            field,
          );
        }
        for (const field of Object.keys(event.error ?? {})) {
          expect(["name", "code"]).toContain(field);
        }
      }
    }
  });

  it.each([
    [new ToolError({ code: "shipped", message: "No." }), { name: "ToolError", code: "shipped" }],
    [new RangeError("no"), { name: "RangeError" }],
    [new DOMException("no", "QuotaExceededError"), { name: "QuotaExceededError" }],
    [Object.assign(new Error("no"), { code: 7 }), { name: "Error" }],
    ["a text", { name: "string" }],
    [null, { name: "object" }],
    [runInNewContext('new TypeError("of another realm")'), { name: "TypeError" }],
    [{ name: "Ada Lovelace", code: "personal" }, { name: "object" }],
  ])("tell what was thrown by name and code: %s", async (thrown, error) => {
    const { call, events } = await openTab(orderTool({ execute: () => Promise.reject(thrown) }));
    await expect(call()).rejects.toBe(thrown);
    expect(events.at(-1)).toMatchObject({ stage: "failed", error });
    expect(events.at(-1)?.error).toEqual(error);
  });

  it("say that a caller left, and leave it at that", async () => {
    const { signal, leave } = leaving();
    const { tab } = coordinated();
    const { call, events } = await tab({ authorize: () => new Promise(leave) });
    await call(signal).catch(() => {});
    expect(events.at(-1)).toMatchObject({ stage: "failed", error: { name: "Error" } });
  });
});

describe("an observer", () => {
  const failing: [string, Observer][] = [
    [
      "throws",
      () => {
        throw new Error("broken metrics");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken metrics"))],
    ["never settles", () => new Promise(() => {})],
    ["gives a symbol", () => Symbol("broken")],
  ];

  it.each(failing)("that %s changes neither registration nor call", async (_, observe) => {
    const { store, journal, key } = coordinated();
    const host = new TestHost();
    const signett = createSignett({ modelContext: host, observe });
    const registration = await signett.expose(
      orderTool({ idempotency: { key, store }, journal: { store: journal } }),
    );
    await expect(host.invoke("cancel_order", order)).resolves.toEqual(cancelled);
    expect(store.records.get(KEY)).toMatchObject({ state: "completed" });
    registration.dispose();
    expect(registration.status).toBe("disposed");
  });

  it("does not keep events from the others, and is the same whether an option or added", async () => {
    const [first, second] = [vi.fn<Observer>(), vi.fn<Observer>()];
    const host = new TestHost();
    const signett = createSignett({
      modelContext: host,
      observe: () => {
        throw new Error("broken");
      },
    });
    signett.observe(first);
    signett.observe(second);
    await signett.expose(orderTool());
    await host.invoke("cancel_order", order);
    expect(first.mock.calls).toEqual(second.mock.calls);
    expect(first.mock.calls[0]?.[0].stage).toBe("registering");
  });

  it("gets nothing after it has unsubscribed, also when it was added twice", async () => {
    const { signett, call } = await openTab(orderTool());
    const observer = vi.fn((_: LifecycleEvent) => {});
    const stop = signett.observe(observer);
    const stopToo = signett.observe(observer);
    await call();
    expect(observer).toHaveBeenCalledTimes(10);
    stop();
    stop();
    await call();
    expect(observer).toHaveBeenCalledTimes(15);
    stopToo();
    await call();
    expect(observer).toHaveBeenCalledTimes(15);
  });

  it("can unsubscribe while it is told", async () => {
    const { signett, call } = await openTab(orderTool());
    const observer = vi.fn(() => stop());
    const stop = signett.observe(observer);
    await expect(call()).resolves.toEqual(cancelled);
    expect(observer).toHaveBeenCalledTimes(1);
  });

  it("is told of an error whose code can't be read, which stays the caller's own", async () => {
    const odd = Object.defineProperty(new Error("odd"), "code", {
      get() {
        throw new TypeError("unreadable");
      },
    });
    const refuse = () => {
      throw odd;
    };
    const { signett, call } = await openTab(orderTool({ execute: refuse }));
    const errors: unknown[] = [];
    signett.observe(({ stage, error }) => stage === "failed" && errors.push(error));
    await expect(call()).rejects.toBe(odd);
    expect(errors).toEqual([{ name: "Error" }]);
  });
});
