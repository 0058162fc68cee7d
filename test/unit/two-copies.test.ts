import { afterAll, describe, expect, it, vi } from "vitest";
import * as oneClient from "../../client/index.js";
import * as one from "../../src/index.js";
import { TestHost, TestJournal, TestStore } from "../support/runtime.js";

/** Bundlers and tag managers load the library more than once: the second copy has classes of its own. */
vi.resetModules();
const two = await import("../../src/index.js");
const twoClient = await import("../../client/index.js");
afterAll(() => vi.resetModules());

const errorsOf = ({
  AuthorizationError,
  ClaimLostError,
  OutcomeUnknownError,
  SignettError,
  ToolError,
}: typeof one) => ({
  AuthorizationError,
  ClaimLostError,
  OutcomeUnknownError,
  SignettError,
  ToolError,
});

const note = {
  name: "send_note",
  description: "Send one short note.",
  inputSchema: { type: "object" },
};

describe("an error of another copy of the library in the page", () => {
  const [mine, theirs] = [errorsOf(one), errorsOf(two)];
  const made = [
    new theirs.AuthorizationError("No"),
    new theirs.ClaimLostError(),
    new theirs.OutcomeUnknownError([]),
    new theirs.ToolError({ code: "stale", message: "Stale." }),
  ];

  it.each(made)("is an instance of this copy's class of that name: $name", (error) => {
    const { SignettError, ...kinds } = mine;
    expect(Object.values(theirs)).not.toContain(mine.SignettError);
    expect(error instanceof SignettError).toBe(true);
    for (const [name, kind] of Object.entries(kinds)) {
      expect([name, error instanceof kind]).toEqual([name, name === error.name]);
    }
  });

  it("is no instance of a class that the application derived, and its own errors are", () => {
    class Stale extends mine.ToolError {}
    class AlsoStale extends theirs.ToolError {}
    const stale = new AlsoStale({ code: "stale", message: "Stale." });
    expect(stale instanceof Stale).toBe(false);
    expect(stale instanceof AlsoStale).toBe(true);
    expect(stale instanceof mine.ToolError).toBe(true);
    expect(stale.name).toBe("ToolError");
  });

  it("is told from what only looks like one, and from what can't be looked at", () => {
    const closed = new Proxy(new Error(), {
      get() {
        throw new Error("Not for you.");
      },
    });
    for (const other of [new Error("x"), { name: "ToolError", code: "x" }, "x", null, closed]) {
      expect(other instanceof mine.SignettError).toBe(false);
      expect(other instanceof mine.ToolError).toBe(false);
    }
  });
});

describe("two copies of the library in one page", () => {
  it("return each other's failures as data, where failures are returned", async () => {
    const modelContext = new TestHost();
    const denied = new two.ToolError({ code: "stale", message: "Stale.", retry: "as_is" });
    const surface = one.createSignett({ modelContext, failures: "result" });
    await surface.expose({ ...note, execute: () => Promise.reject(denied) });
    await expect(modelContext.invoke("send_note", {})).resolves.toMatchObject({
      isError: true,
      structuredContent: { code: "stale", retry: "as_is" },
    });
  });

  it("give the answer that was stored when one copy's store says to the other that its claim is lost", async () => {
    const trace: string[] = [];
    const store = new TestStore(trace);
    store.before.complete = () => {
      throw new two.ClaimLostError({ value: "another tab's answer" });
    };
    const execute: one.Tool<unknown, undefined, string>["execute"] = async (_, { operation }) => {
      await operation?.write({});
      return "mine";
    };
    const call = one.guard(execute, {
      ...note,
      idempotency: { key: () => "k", store },
      journal: { store: new TestJournal(trace, "profile") },
    });
    await expect(call({})).resolves.toBe("another tab's answer");
  });

  it("have one set of tool names", async () => {
    const modelContext = new TestHost();
    const tool = { ...note, execute: () => "sent" };
    await one.createSignett({ modelContext }).expose(tool);
    const again = two.createSignett({ modelContext }).expose(tool);
    await expect(again).rejects.toThrow("`name` is already exposed in this document");
  });

  it("have one profile a namespace, and refuse options that differ", () => {
    const profile = oneClient.connectProfile({ namespace: "copies" });
    expect(twoClient.connectProfile({ namespace: "copies" })).toBe(profile);
    const different = { namespace: "copies", helloTimeoutMs: 1 };
    expect(() => twoClient.connectProfile(different)).toThrow(TypeError);
    profile.dispose();
    profile.dispose();
  });
});
