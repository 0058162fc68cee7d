import { readFileSync } from "node:fs";
import {
  type ContextManager,
  context,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { afterEach, describe, expect, it, test } from "vitest";
import type { LifecycleEvent, Stage } from "../../../src/index.js";
import { ToolError } from "../../../src/index.js";
import { createOpenTelemetryObserver } from "../../../src/opentelemetry/index.js";
import {
  coordinated,
  type OrderTool,
  openTab,
  orderTool,
  saying,
  writing,
} from "../runtime/tab.js";
import { pictureOf } from "./picture.js";
import { openSdk } from "./sdk.js";

const sdk = { current: openSdk() };
afterEach(async () => {
  await sdk.current.close();
  sdk.current = openSdk();
});

const lost = () => Promise.reject(new Error("secret: the answer was lost"));

/** Calls a tool as often, and gives what was exported of the last call. */
async function spanOf(parts: Partial<OrderTool>, calls = 1) {
  const { tab } = coordinated();
  const { call, signett } = await tab(parts);
  signett.observe(sdk.current.observe);
  for (let made = 0; made < calls; made++) await call().catch(() => {});
  const span = sdk.current.spans().at(-1);
  if (!span) throw new Error("No span was exported.");
  return span;
}

/** A call whose stages come when the test says so. */
function scripted(invocationId = "call-1") {
  const startedAt = 1_700_000_000_000;
  return (stage: Stage, durationMs: number, error?: LifecycleEvent["error"]) =>
    void sdk.current.observe({
      ...{ invocationId, name: "cancel_order", stage, durationMs, error },
      // The clock is set back in the middle.
      timestamp: startedAt + durationMs - (durationMs > 100 ? 60_000 : 0),
    });
}

const millis = ([seconds, nanos]: readonly [number, number]) => seconds * 1_000 + nanos / 1e6;

describe("the span of a call", () => {
  it("has the conventions' name and attributes, and the stages as events", async () => {
    const span = await spanOf({ verify: () => true });
    expect(span.name).toBe("execute_tool cancel_order");
    expect(span.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "cancel_order",
      "gen_ai.tool.type": "function",
      "signett.invocation.id": expect.any(String),
      "signett.outcome": "succeeded",
      "signett.replayed": false,
      "signett.recovered": false,
      "signett.verified": true,
      "signett.execution.duration": expect.any(Number),
    });
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.events.map(({ name }) => name)).toEqual([
      ...["started", "validated", "authorized", "executed", "verified", "succeeded"],
    ]);
  });

  it.each<[string, Partial<OrderTool>, Record<string, unknown>]>([
    [
      "a failure of the application, by its code",
      {
        execute: () => {
          throw new ToolError({ code: "shipped", message: "secret", retry: "never" });
        },
      },
      { "signett.outcome": "failed", "error.type": "shipped" },
    ],
    [
      "an exception, by its name",
      {
        authorize: () => {
          throw new RangeError("secret");
        },
      },
      { "signett.outcome": "failed", "error.type": "RangeError" },
    ],
    [
      "a decline",
      { confirm: () => ({ confirmed: false, reason: "secret" }) },
      { "signett.outcome": "declined", "error.type": "confirmation_declined" },
    ],
    [
      "an outcome that nobody knows",
      { execute: writing(lost) },
      { "signett.outcome": "unknown", "error.type": "outcome_unknown" },
    ],
  ])(
    "says that it is an error, and no more than is told to observers: %s",
    async (_, parts, ended) => {
      const span = await spanOf(parts);
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
      expect(span.attributes).toMatchObject(ended);
      const { name, attributes, events, status } = span;
      expect(JSON.stringify({ name, attributes, events, status })).not.toMatch(/secret|o-1/);
    },
  );

  it("tells a replay and a recovery from an execution", async () => {
    expect((await spanOf({}, 2)).attributes).toMatchObject({ "signett.replayed": true });
    const recover = saying({ recovered: true, output: 1 });
    const { attributes } = await spanOf({ execute: writing(lost), recover });
    expect(attributes).toMatchObject({ "signett.recovered": true, "signett.outcome": "succeeded" });
    expect(attributes).not.toHaveProperty("signett.execution.duration");
  });

  it("has the call's times and no others, also when the clock is set back", async () => {
    const reach = scripted();
    reach("started", 0);
    reach("waiting", 20);
    reach("claimed", 520);
    reach("executed", 1_520);
    reach("succeeded", 1_600);
    const [span] = sdk.current.spans();
    if (!span) throw new Error("No span was exported.");
    expect(millis(span.startTime)).toBe(1_700_000_000_000);
    expect(millis(span.endTime)).toBe(1_700_000_001_600);
    expect(span.events.map(({ time }) => millis(time) - 1_700_000_000_000)).toEqual([
      ...[0, 20, 520, 1_520, 1_600],
    ]);
    expect(span.attributes).toMatchObject({
      "signett.wait.duration": 0.5,
      "signett.execution.duration": 1,
    });
  });

  it("does not mix with that of another call, and begins with its call only", () => {
    const [first, second] = [scripted("call-1"), scripted("call-2")];
    scripted("call-0")("succeeded", 5);
    first("registered", 0);
    first("started", 0);
    second("started", 1);
    second("failed", 2, { name: "TypeError" });
    first("succeeded", 3);
    const ended = sdk.current
      .spans()
      .map(({ attributes, events }) => [...[attributes["signett.invocation.id"], events.length]]);
    expect(ended).toEqual([
      ["call-2", 2],
      ["call-1", 2],
    ]);
  });

  it("belongs to what is active when the call begins", async () => {
    const parent = { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 };
    const active = trace.setSpanContext(ROOT_CONTEXT, parent);
    const run: ContextManager["with"] = (_, fn, thisArg, ...args) => fn.call(thisArg, ...args);
    const manager: ContextManager = {
      ...{ active: () => active, with: run, bind: (_, target) => target },
      ...{ enable: () => manager, disable: () => manager },
    };
    context.setGlobalContextManager(manager);
    try {
      const span = await spanOf({});
      expect(span.parentSpanContext).toMatchObject(parent);
    } finally {
      context.disable();
    }
  });
});

describe("the metrics", () => {
  it("count calls by outcome, and have the conventions' duration, in seconds", async () => {
    const reach = scripted();
    reach("started", 0);
    reach("waiting", 20);
    reach("claimed", 520);
    reach("executed", 1_520);
    reach("succeeded", 1_600);
    const other = scripted("call-2");
    other("started", 0);
    other("failed", 10, { name: "ToolError", code: "shipped" });

    const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "cancel_order" };
    const flags = { "signett.replayed": false, "signett.recovered": false };
    const succeeded = { ...tool, ...flags, "signett.outcome": "succeeded" };
    const failed = { ...tool, ...flags, "signett.outcome": "failed", "error.type": "shipped" };
    const measured = (sum: number) => expect.objectContaining({ count: 1, sum });
    const metrics = await sdk.current.metrics();
    expect(metrics).toEqual({
      "signett.calls": [
        { attributes: succeeded, value: 1, unit: "{call}" },
        { attributes: failed, value: 1, unit: "{call}" },
      ],
      "gen_ai.execute_tool.duration": [
        { attributes: succeeded, value: measured(1.6), unit: "s" },
        { attributes: failed, value: measured(0.01), unit: "s" },
      ],
      "signett.wait.duration": [{ attributes: succeeded, value: measured(0.5), unit: "s" }],
      "signett.execution.duration": [{ attributes: tool, value: measured(1), unit: "s" }],
    });
  });
});

describe("an application without an SDK", () => {
  it("runs its calls as before", async () => {
    const { call, signett } = await openTab(orderTool());
    signett.observe(createOpenTelemetryObserver());
    await expect(call()).resolves.toMatchObject({ status: "cancelled" });
  });
});

test("the picture in the docs is that of a span", async () => {
  const [, picture = ""] =
    /^```text span\n(.*?)^```$/ms.exec(readFileSync("docs/opentelemetry.md", "utf8")) ?? [];
  const [title = "", ...lines] = picture.trimEnd().split("\n");
  const stages = lines.map((line) => line.slice(3).trim().split(/\s+/));
  const reach = scripted();
  for (const [stage, seconds] of stages) reach(stage as Stage, Number(seconds) * 1_000);
  const [span] = sdk.current.spans();
  if (!span) throw new Error("No span was exported.");
  const seconds = (millis(span.endTime) - millis(span.startTime)) / 1_000;
  expect(title.split(/\s{2,}/)).toEqual([span.name, `${seconds.toFixed(3)} s`]);
  expect(span.events.map(({ name }) => name)).toEqual(stages.map(([stage]) => stage));
  expect(span.attributes["signett.wait.duration"]).toBe(0.5);
  const events = stages.map(([name = "", at]) => ({ name, at: Number(at) }));
  // `vitest -u` draws it again.
  await expect(pictureOf({ name: span.name, at: seconds }, events)).toMatchFileSnapshot(
    "../../../docs/images/span.svg",
  );
});
