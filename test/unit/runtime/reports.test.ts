import { describe, expect, it } from "vitest";
import { type ActivityReport, createSignett, guard } from "../../../src/index.js";
import { TestHost, TestJournal, TestStore } from "../../support/runtime.js";
import { cancelled, KEY, order, orderTool } from "./tab.js";

/** A profile that remembers what it was told. */
function watched() {
  const reports: ActivityReport[] = [];
  const journal = new TestJournal([], "profile");
  const profile = {
    idempotency: new TestStore([], journal),
    journal,
    activity: {
      tab: "t-1",
      publish: (report: ActivityReport) => void reports.push(report),
      subscribe: () => () => {},
    },
  };
  const told = () =>
    reports.map(({ event, key }) => (key === undefined ? event.stage : `${event.stage} ${key}`));
  return { profile, reports, told };
}

const idempotency = {
  key: ({ input }: { input: { orderId: string } }) => `cancel:${input.orderId}`,
};

describe("the tabs of a profile", () => {
  it("are told every stage of a call, and its key as soon as that is known", async () => {
    const { profile, reports, told } = watched();
    const host = new TestHost();
    const signett = createSignett({ modelContext: host, profile });
    await signett.expose(orderTool({ idempotency }));
    reports.length = 0;
    await host.invoke("cancel_order", order);
    expect(told()).toEqual([
      ...["started", "validated", "authorized"],
      ...[`authorized ${KEY}`, `executed ${KEY}`, `succeeded ${KEY}`],
    ]);
    expect(new Set(reports.map(({ event }) => event.invocationId)).size).toBe(1);
    expect(new Set(reports.map(({ tab }) => tab))).toEqual(new Set(["t-1"]));
  });

  it("are told of registrations", async () => {
    const { profile, told } = watched();
    const signett = createSignett({ modelContext: new TestHost(), profile });
    await signett.expose(orderTool());
    expect(told()).toEqual(["registering", "registered"]);
  });

  it("are told of guarded functions", async () => {
    const { profile, told } = watched();
    const { name, inputSchema, execute } = orderTool();
    const cancel = guard(execute, { name, inputSchema, profile, idempotency });
    await expect(cancel(order)).resolves.toEqual(cancelled);
    expect(told().at(-1)).toBe(`succeeded ${KEY}`);
  });

  it("can't end a call by failing to be told", async () => {
    const { profile } = watched();
    const publish = () => {
      throw new DOMException("The channel is closed.", "InvalidStateError");
    };
    const { name, inputSchema, execute } = orderTool();
    const failing = { ...profile, activity: { ...profile.activity, publish } };
    const cancel = guard(execute, { name, inputSchema, profile: failing, idempotency });
    await expect(cancel(order)).resolves.toEqual(cancelled);
  });

  it("are told nothing that observers are told of an error but its name and code", async () => {
    const { profile, reports } = watched();
    const host = new TestHost();
    const signett = createSignett({ modelContext: host, profile });
    await signett.expose(orderTool({ authorize: () => ({ allowed: false, reason: "secret" }) }));
    await expect(host.invoke("cancel_order", order)).rejects.toThrow("secret");
    expect(reports.at(-1)?.event.error).toEqual({
      ...{ name: "AuthorizationError", code: "authorization_denied" },
    });
    expect(JSON.stringify(reports)).not.toContain("secret");
  });
});
