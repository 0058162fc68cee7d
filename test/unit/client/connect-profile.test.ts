import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectProfile, type ProfileOptions, type TabProfile } from "../../../client/index.js";
import type { TestPage } from "../../support/world/page.js";
import { World } from "../../support/world/world.js";

let world: World;
let page: TestPage;
/** The one whose worker the world runs. */
const namespace = "shop";
const open: TabProfile[] = [];

beforeEach(() => {
  world = new World();
  page = world.page();
});
afterEach(() => {
  for (const profile of open.splice(0)) profile.dispose();
});

function connect(options: ProfileOptions = {}): TabProfile {
  const profile = page.run(() => connectProfile({ worker: page.worker, ...options }));
  open.push(profile);
  return profile;
}

const begin = ({ idempotency }: TabProfile) =>
  idempotency.begin("k", { signal: new AbortController().signal });

describe("connectProfile", () => {
  it("starts nothing: the first idempotent call connects", async () => {
    let started = 0;
    const worker = () => {
      started += 1;
      return page.worker();
    };
    const profile = connect({ worker, namespace });
    expect({ mode: profile.mode, started }).toEqual({ mode: "idle", started: 0 });
    await begin(profile);
    expect({ mode: profile.mode, started }).toEqual({ mode: "shared", started: 1 });
  });

  it("gives the same profile for the same namespace, and another for another (C062, logux/client source cross-tab-client/index.js)", () => {
    const first = connect();
    expect(connect()).toBe(first);
    expect(connect({ namespace: "signett" })).toBe(first);
    expect(connect({ namespace: "other" })).not.toBe(first);
  });

  it("keeps the profile open for whoever still uses it, and the last one closes it", async () => {
    const first = connect();
    const second = connect();
    first.dispose();
    await expect(second.ready()).resolves.toBeUndefined();
    second[Symbol.dispose]();
    await expect(second.ready()).rejects.toMatchObject({ code: "coordination_unavailable" });
    expect(connect()).not.toBe(first);
  });

  it("refuses options that differ from those of the open profile, and names it", () => {
    connect({ helloTimeoutMs: 1_000 });
    const differing = () => connect({ helloTimeoutMs: 2_000 });
    expect(differing).toThrow(TypeError);
    expect(differing).toThrow(/"signett" is already open/);
    for (const other of [
      { durability: "relaxed" },
      { retention: { completedMs: 1 } },
      { retention: { maxCompleted: 1 } },
    ] as const)
      expect(() => connect({ helloTimeoutMs: 1_000, ...other })).toThrow(/is already open/);
    // A component that renders again makes its function anew.
    expect(() => connect({ helloTimeoutMs: 1_000, worker: () => page.worker() })).not.toThrow();
  });

  it.each([
    [{ namespace: "" }, "namespace"],
    [{ namespace: " shop" }, "namespace"],
    [{ namespace: "x".repeat(101) }, "namespace"],
    [{ helloTimeoutMs: 0 }, "helloTimeoutMs"],
    [{ helloTimeoutMs: 1.5 }, "helloTimeoutMs"],
    [{ durability: "lax" as "strict" }, "durability"],
    [{ retention: { completedMs: 0 } }, "retention.completedMs"],
    [{ retention: { completedMs: Number.POSITIVE_INFINITY } }, "retention.completedMs"],
    [{ retention: { maxCompleted: 0.5 } }, "retention.maxCompleted"],
  ])("refuses %j and names the field", (options, field) => {
    const connecting = () => connect(options);
    expect(connecting).toThrow(TypeError);
    expect(connecting).toThrow(field);
  });

  it("says that a `SharedWorker` of the application's own can be used once only", async () => {
    const profile = connect({ worker: page.worker(), namespace });
    await profile.ready();
    world.killWorker();
    await expect(begin(profile)).rejects.toMatchObject({
      message: expect.stringContaining("pass a function instead"),
    });
  });
});
