import { describe, expect, it } from "vitest";
import { type Repair, ToolError } from "../../../src/index.js";
import { leaving, type OrderTool, openTab, order, orderTool } from "./tab.js";

const open = (parts: Partial<OrderTool> = {}) => openTab(orderTool(parts), { failures: "result" });
const throwing = (error: unknown) => ({ execute: () => Promise.reject(error) });

describe('with failures: "result", a failure that Signett decides on', () => {
  it("is returned with its message and code, so that the agent learns of it", async () => {
    const { call, stages } = await open({ authorize: () => ({ allowed: false, reason: "No" }) });
    await expect(call()).resolves.toEqual({
      isError: true,
      content: [{ type: "text", text: expect.stringContaining("Authorization denied: No.") }],
      structuredContent: { code: "authorization_denied" },
    });
    expect(stages().at(-1)).toBe("failed");
  });

  it("has the issues of an invalid input", async () => {
    const { call } = await open();
    await expect(call(undefined, {})).resolves.toMatchObject({
      isError: true,
      structuredContent: {
        code: "invalid_input",
        issues: [{ path: "/orderId", keyword: "required" }],
      },
    });
  });

  it("has a ToolError's policy and repair, and keeps its details in the application", async () => {
    const repair: Repair = { action: "refresh_state", instruction: "Look again." };
    const error = new ToolError({
      ...{ code: "stale", message: "Stale.", repair },
      details: { internal: "secret" },
    });
    const { call } = await open(throwing(error));
    const result = await call();
    expect(result).toMatchObject({
      content: [{ type: "text", text: error.message }],
      structuredContent: { code: "stale", retry: "after_repair", repair },
    });
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  it("is JSON data also where a repair is not, because hosts crash on a symbol", async () => {
    const error = Reflect.construct(ToolError, [
      { code: "stale", message: "Stale.", repair: { action: "stop", instruction: Symbol("x") } },
    ]);
    const { call } = await open(throwing(error));
    await expect(call()).resolves.toMatchObject({
      structuredContent: { code: "stale", retry: "after_repair" },
    });
    expect(await call()).not.toHaveProperty("structuredContent.repair");
  });
});

describe('with failures: "result", an exception of somebody else', () => {
  it("is thrown as it is, and not dressed up as a result", async () => {
    const failure = new RangeError("a defect");
    await expect((await open(throwing(failure))).call()).rejects.toBe(failure);
  });

  it("is thrown as it is when the caller leaves", async () => {
    const { signal, reason, leave } = leaving();
    const { call } = await open({ authorize: () => new Promise(leave) });
    await expect(call(signal)).rejects.toBe(reason);
  });

  it("is thrown as it is by a disposed tool", async () => {
    const { host, registration } = await open();
    const tool = host.tools.get("cancel_order");
    registration.dispose();
    await expect(tool?.execute(order)).rejects.toMatchObject({ name: "InvalidStateError" });
  });
});
