// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { MemoryIdempotencyStore, MemoryOperationJournal } from "../../../src/testing/index.js";
import { gate } from "../runtime/tab.js";
import { mount, type NoteTool, notes, noteTool, openSurface } from "./mounting.js";

/** A mounted component whose tool is registered. */
async function open(tool: NoteTool) {
  const surface = openSurface();
  const { note, states } = notes(surface.signett);
  const root = mount();
  const registered = surface.until("registered");
  const render = (next: NoteTool, deps?: readonly unknown[]) =>
    root.render(note(next, { ...(deps && { deps }) }));
  render(tool);
  await registered();
  return { ...surface, states, render };
}

/** A tool with every function there is, each of which leaves its mark. */
function everyFunction(mark: string, trace: string[], failing: boolean): NoteTool {
  const noted = <T>(hook: string, answer: T) => {
    trace.push(`${hook} ${mark}`);
    return answer;
  };
  return noteTool({
    authorize: () => noted("authorize", true),
    confirm: { mode: "effect-only", request: () => noted("confirm", true) },
    idempotency: { key: ({ input }) => noted("key", input.text), store },
    journal: { key: ({ input }) => noted("journal key", input.text), store: journal },
    execute: async (_, { operation }) => {
      await operation?.write({ sent: true });
      noted("execute", undefined);
      if (failing) throw new Error("the answer was lost");
    },
    recover: () => noted("recover", { recovered: true, output: "sent" }),
    verify: () => noted("verify", true),
  });
}
const store = new MemoryIdempotencyStore();
const journal = new MemoryOperationJournal();

describe("another render with the same deps", () => {
  it("has calls run its functions, every one of them, and registers nothing anew", async () => {
    const trace: string[] = [];
    const { call, render, states } = await open(everyFunction("old", trace, true));
    const before = states.at(-1);
    render(everyFunction("new", trace, true));
    await expect(call()).resolves.toBe("sent");
    const hooks = ["authorize", "key", "journal key", "confirm", "execute", "recover", "verify"];
    expect([...trace].sort()).toEqual(hooks.map((hook) => `${hook} new`).sort());
    expect(states.at(-1)).toBe(before);
  });

  it("has `confirm` as a plain function follow too", async () => {
    const { call, render } = await open(noteTool({ confirm: () => true }));
    render(noteTool({ confirm: () => ({ confirmed: false, reason: "Not now." }) }));
    await expect(call()).rejects.toThrow("Not now.");
  });

  it("can't take a control away: its last say counts", async () => {
    const { call, render } = await open(noteTool({ authorize: () => false }));
    render(noteTool());
    await expect(call()).rejects.toMatchObject({ code: "authorization_denied" });
  });

  it("keeps what agents see", async () => {
    const { descriptions, render } = await open(noteTool());
    render(noteTool({ description: "Send another note." }));
    expect(descriptions()).toEqual(["Send one short note."]);
  });
});

describe("a render with other deps", () => {
  it("registers the tool as it is now", async () => {
    const { descriptions, render, states, until } = await open(noteTool());
    states.length = 0;
    const registered = until("registered");
    render(noteTool({ description: "Send another note." }), [2]);
    await registered();
    expect(descriptions()).toEqual(["Send another note."]);
    expect(states[0]).toEqual({ status: "registering" });
    expect(states.at(-1)).toEqual({ status: "registered" });
  });

  it("leaves a running call to the functions that it began with", async () => {
    const { opened, open: finish } = gate();
    const verified: string[] = [];
    const tool = (mark: string) =>
      noteTool({
        execute: () => opened.then(() => mark),
        verify: ({ output }) => verified.push(`${mark} saw ${output}`) > 0,
      });
    const { call, render, until } = await open(tool("old"));
    const authorized = until("authorized");
    const running = call();
    await authorized();
    const registered = until("registered");
    render(tool("new"), [2]);
    await registered();
    finish();
    await expect(running).resolves.toBe("old");
    await expect(call()).resolves.toBe("new");
    expect(verified).toEqual(["old saw old", "new saw new"]);
  });
});

describe("a tool that can't be registered", () => {
  it("is a state with the error, and the next deps are a new attempt", async () => {
    const { signett, until } = openSurface();
    const { note, states } = notes(signett);
    const { render } = mount();
    const failed = until("registration_failed");
    render(note(noteTool({ description: " " })));
    await failed();
    expect(states.at(-1)).toEqual({ status: "failed", error: expect.any(TypeError) });
    const registered = until("registered");
    render(note(noteTool(), { deps: [2] }));
    await registered();
    expect(states.at(-1)).toEqual({ status: "registered" });
  });
});
