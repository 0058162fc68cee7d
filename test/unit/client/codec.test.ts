import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Codec } from "../../../client/codec.js";
import type { Invocation } from "../../support/world/authority.js";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { enter } from "./calls.js";

/** A codec that only tabs with the same secret can read. */
function codecOf(secret: string): Codec {
  const mask = (bytes: Uint8Array) => bytes.map((byte) => byte ^ secret.charCodeAt(0));
  return {
    encode: async (data) => mask(new TextEncoder().encode(secret + JSON.stringify(data))),
    async decode(bytes) {
      const text = new TextDecoder().decode(mask(bytes));
      if (!text.startsWith(secret)) throw new Error("That is another key's.");
      return JSON.parse(text.slice(secret.length));
    },
  };
}

let world: World;
let tab: TestTab;
let reader: TestTab;
/** Tabs that can't read what the others write. */
let strangers: TestTab[];

beforeEach(() => {
  stopTime();
  world = new World();
  tab = world.tab({ codec: codecOf("s3cret") });
  reader = world.tab({ codec: codecOf("s3cret") });
  strangers = [world.tab({ codec: codecOf("other") }), world.tab()];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Everything that the database has for the key, as text. */
async function stored(key: string): Promise<string> {
  const { record, entry } = await world.storage.everything(key);
  const plain = (_: string, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  return JSON.stringify([record, entry], plain);
}

const receipt = { receipt: "k 1" };

describe("with a codec", () => {
  it("outputs are stored encoded, and replayed to every tab that can read them (C095, murtaza-nasir/speakr#313)", async () => {
    expect(await tab.call("k", world.authority)).toEqual(receipt);
    expect(await stored("k")).not.toContain("receipt");
    expect(await reader.call("k", world.authority)).toEqual(receipt);
    expect(await reader.profile.operations.get("k", { output: true })).toMatchObject({
      output: receipt,
    });
  });

  it("journal entries are stored encoded, and read by the tab that recovers", async () => {
    const doomed = world.tab({ codec: codecOf("s3cret") });
    const written = vi.fn();
    const execute = async ({ operation }: Invocation) => {
      await operation?.write({ correlation: 7 });
      written();
      await new Promise(() => {});
    };
    doomed.call("k", { execute }).catch(() => {});
    await until(() => written.mock.calls.length > 0);
    expect(await stored("k")).toContain("signett:encoded");
    expect(await stored("k")).not.toContain("correlation");
    doomed.page.crash();
    const read = vi.fn();
    const recover = async ({ operation }: Pick<Invocation, "operation">) => {
      read(await operation?.read());
      return { recovered: true, output: 1 } as const;
    };
    await inTime(reader.call("k", { ...world.authority, recover }));
    expect(read).toHaveBeenCalledWith({ correlation: 7 });
  });

  it("an output that is undefined is replayed as such", async () => {
    await tab.call("k", { execute: () => undefined });
    expect(await reader.call("k", world.authority)).toBeUndefined();
  });

  it("what was stored before there was one is still replayed", async () => {
    const [, plain] = strangers;
    await plain?.call("k", world.authority);
    expect(await tab.call("k", world.authority)).toEqual(receipt);
  });

  it("a reviewer's output is encoded too", async () => {
    const doomed = world.tab();
    await enter(doomed, "k", world.authority);
    doomed.page.crash();
    const { operations } = tab.profile;
    await operations.resolve("k", { outcome: "completed", output: { by: "hand" } });
    expect(await stored("k")).not.toContain("hand");
    expect(await reader.call("k", world.authority)).toEqual({ by: "hand" });
  });

  it("an output that can't be encoded leaves doubt, and its caller gets it", async () => {
    const failing = world.tab({ codec: { ...codecOf("s3cret"), encode: async () => fail() } });
    const broken = world.tab({
      codec: { ...codecOf("s3cret"), encode: async () => "text" as unknown as Uint8Array },
    });
    const fail = () => {
      throw new Error("No key.");
    };
    expect(await failing.call("k", { execute: () => 1 })).toBe(1);
    expect(await broken.call("l", { execute: () => 2 })).toBe(2);
    for (const key of ["k", "l"]) {
      expect(await tab.profile.operations.get(key)).toMatchObject({ state: "in_doubt" });
    }
  });
});

describe("a tab that can't read what another one has stored", () => {
  it("never runs the effect again: it recovers the output, and stores it as it can read it", async () => {
    for (const [i, stranger] of strangers.entries()) {
      const key = `k${i}`;
      await tab.call(key, world.authority);
      const recovered = { receipt: `${key} 1` };
      const recover = () => ({ recovered: true, output: recovered }) as const;
      const { execute } = world.authority;
      expect(await stranger.call(key, { execute, recover })).toEqual(recovered);
      expect(await stranger.call(key, { execute, recover })).toEqual(recovered);
      expect(world.authority.effects(key)).toBe(1);
    }
  });

  it("runs nothing when the answer that it was given is purged before it can say so", async () => {
    await tab.call("k", world.authority);
    let fail = (_: Error) => {};
    const decode = vi.fn(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    const slow = world.tab({ codec: { ...codecOf("other"), decode } });
    const call = slow.call("k", world.authority);
    await until(() => decode.mock.calls.length > 0);
    await tab.profile.operations.purge({ key: "k" });
    fail(new Error("That is another key's."));
    await expect(inTime(call)).rejects.toMatchObject({ code: "operation_purged" });
    expect(world.authority.effects("k")).toBe(1);
  });

  it("leaves the key in doubt when nobody can tell the output", async () => {
    for (const [i, stranger] of strangers.entries()) {
      const key = `k${i}`;
      await tab.call(key, world.authority);
      const { execute } = world.authority;
      const recover = () => ({ recovered: false }) as const;
      const call = stranger.call(key, { execute, recover });
      await expect(call).rejects.toMatchObject({ code: "outcome_unknown" });
      expect(await stranger.profile.operations.get(key)).toMatchObject({
        state: "in_doubt",
        executed: true,
      });
      expect(world.authority.effects(key)).toBe(1);
    }
  });

  it("takes an entry that it can't read for one that is there", async () => {
    for (const [i, stranger] of strangers.entries()) {
      const key = `k${i}`;
      const doomed = world.tab({ codec: codecOf("s3cret") });
      const written = vi.fn();
      const execute = async ({ operation }: Invocation) => {
        await operation?.write({ correlation: 7 });
        written();
        await new Promise(() => {});
      };
      doomed.call(key, { execute }).catch(() => {});
      await until(() => written.mock.calls.length > 0);
      doomed.page.crash();
      const recover = () => ({ recovered: false }) as const;
      const call = inTime(stranger.call(key, { ...world.authority, recover }));
      await expect(call).rejects.toMatchObject({ code: "outcome_unknown" });
      expect(world.authority.effects(key)).toBe(0);
    }
  });

  it("is told so by its codec when it asks for the output itself", async () => {
    await tab.call("k", world.authority);
    const [other, plain] = strangers;
    const ask = (stranger: TestTab | undefined) =>
      stranger?.profile.operations.get("k", { output: true });
    await expect(ask(other)).rejects.toThrow("That is another key's.");
    await expect(ask(plain)).rejects.toThrow("has no codec");
    expect(await plain?.profile.operations.get("k")).toMatchObject({ state: "completed" });
  });
});
