import { describe, expect, test } from "vitest";
import { type AnyTool, insideOf } from "../../../src/exposed.js";
import { createSignett } from "../../../src/index.js";
import { controlsOf, hintsOf } from "../../../src/inspector/model/tool-facts.js";
import {
  createWebMcpTestHarness,
  MemoryIdempotencyStore,
  MemoryOperationJournal,
} from "../../../src/testing/index.js";

const plain: AnyTool = {
  name: "read_notes",
  description: "Read the notes.",
  inputSchema: {},
  execute: () => null,
};
const key = () => "k";
const facts = (tool: Partial<AnyTool>) =>
  Object.fromEntries(controlsOf({ ...plain, ...tool }).map(({ name, text }) => [name, text]));

describe("what the Inspector says about a tool", () => {
  test("names the hints that the agent's host gets", () => {
    expect(hintsOf(plain)).toEqual([]);
    const annotations = {
      ...{
        readOnlyHint: true,
        consequentialHint: true,
        untrustedContentHint: true,
        debugging: true,
      },
    };
    expect(hintsOf({ ...plain, annotations, exposedTo: ["https://x.example"] })).toEqual([
      "only reads",
      "consequential",
      "untrusted content",
      "debugging",
      "exposed to https://x.example",
    ]);
  });

  test("names the controls around its handler", () => {
    expect(controlsOf(plain)).toEqual([]);
    expect(
      facts({
        authorize: () => true,
        confirm: { mode: "effect-only", request: () => true },
        idempotency: { key, fingerprint: true },
        recover: () => ({ recovered: false }),
        verify: () => true,
        outputBudgetBytes: 9,
      }),
    ).toEqual({
      authorize: "on every call, before a replay too",
      confirm: "before an effect only",
      idempotency: "in the profile",
      waits: "at most 120 s for the owner of its key",
      fingerprint: "the whole input",
      journal: "the profile's",
      recover: "asks the authority",
      verify: "without a time limit",
      "output budget": "9 bytes",
    });
  });

  test("tells stores of its own from the profile's, and how long it waits and verifies", () => {
    const store = new MemoryIdempotencyStore();
    const journal = { store: new MemoryOperationJournal() };
    expect(
      facts({
        confirm: () => true,
        idempotency: { key, store, waitTimeoutMs: 5_000, fingerprint: () => 1 },
        journal,
        verify: () => true,
        verifyTimeoutMs: 2_000,
      }),
    ).toMatchObject({
      confirm: "on every call",
      idempotency: "in a store of its own",
      waits: "at most 5 s for the owner of its key",
      fingerprint: "chosen by the tool",
      verify: "within 2 s",
    });
    expect(facts({ confirm: { mode: "always", request: () => true } }).confirm).toBe(
      "on every call",
    );
    const ofOneTab = { read: () => {}, write: () => {}, remove: () => {} };
    expect(facts({ idempotency: { key, store }, journal: { store: ofOneTab } }).journal).toBe(
      "a tab's journal",
    );
  });
});

describe("what an interface shows to the Inspector", () => {
  test("is each tool that is exposed now, and the way to call it", async () => {
    const { modelContext } = createWebMcpTestHarness();
    const signett = createSignett({ modelContext, failures: "result" });
    const registration = await signett.expose({
      name: "divide",
      description: "Divide one number by another.",
      inputSchema: { type: "object", properties: { by: { type: "number" } }, required: ["by"] },
      execute: ({ by }: { by: number }) => 10 / by,
    });
    const [one] = insideOf(signett).exposed();
    const { signal } = new AbortController();
    expect(one?.tool.name).toBe("divide");
    await expect(one?.call({ by: 5 }, signal)).resolves.toBe(2);
    // The developer gets the error itself, although agents get it as a result.
    await expect(one?.call({}, signal)).rejects.toMatchObject({ code: "invalid_input" });
    registration.dispose();
    expect(insideOf(signett).exposed()).toEqual([]);
  });

  test("is there also where the browser has no WebMCP", async () => {
    const signett = createSignett();
    const { name, description } = plain;
    await signett.expose({ name, description, inputSchema: {}, execute: () => "called" });
    const [one] = insideOf(signett).exposed();
    expect(one?.registration.status).toBe("unsupported");
    await expect(one?.call({}, new AbortController().signal)).resolves.toBe("called");
  });

  test("is missed in what createSignett did not make", () => {
    expect(() => insideOf({})).toThrow(/createSignett/);
  });
});
