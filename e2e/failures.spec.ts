import type { Page } from "@playwright/test";
import { callTool } from "signett/testing/playwright";
import { expect, test } from "./support/test.js";

/** Calls a tool from the page, as an agent inside of it does: through native `executeTool`. */
function executeTool(page: Page, name: string, input: object): Promise<string> {
  return page.evaluate(
    async ([wanted, argument]) => {
      const host = document.modelContext;
      const tool = (await host?.getTools())?.find((candidate) => candidate.name === wanted);
      if (!host || !tool) throw new Error(`There is no tool ${wanted}.`);
      return host.executeTool(tool, argument);
    },
    [name, input] as const,
  );
}

async function exposeBooking(page: Page, failures: "throw" | "result"): Promise<void> {
  await page.evaluate(async (delivery) => {
    const { createSignett, ToolError } = window.lab.signett;
    await createSignett({ failures: delivery }).expose({
      name: "book_slot",
      description: "Book one slot of the calendar.",
      inputSchema: {
        type: "object",
        properties: { slot: { type: "string" } },
        required: ["slot"],
        additionalProperties: false,
      },
      execute: ({ slot }) => {
        if (slot === "broken") throw new RangeError("the application's own");
        throw new ToolError({
          code: "slot_stale",
          message: "The selected slot is no longer available.",
          retry: "after_repair",
          details: { internal: true },
          repair: {
            action: "call_tool",
            tool: "list_available_slots",
            instruction: "Choose a current slot, then retry with the same operationId.",
          },
        });
      },
    });
  }, failures);
}

test("thrown failures lose their message in executeTool, and keep it for an outside agent", async ({
  openLab,
}) => {
  const page = await openLab();
  await exposeBooking(page, "throw");
  const reason = await executeTool(page, "book_slot", { slot: "a" }).catch(String);
  expect(reason).not.toContain("slot");
  const outcome = await callTool(page, "book_slot", { slot: "a" });
  expect(outcome).toMatchObject({
    status: "failed",
    error: { code: "slot_stale", message: expect.stringContaining("no longer available") },
  });
});

test('failures: "result" brings code, retry and repair through executeTool', async ({
  openLab,
}) => {
  const page = await openLab();
  await exposeBooking(page, "result");
  const stale = JSON.parse(await executeTool(page, "book_slot", { slot: "a" }));
  expect(stale).toEqual({
    isError: true,
    content: [{ type: "text", text: expect.stringContaining("Next action:") }],
    structuredContent: {
      code: "slot_stale",
      retry: "after_repair",
      repair: {
        action: "call_tool",
        tool: "list_available_slots",
        instruction: "Choose a current slot, then retry with the same operationId.",
      },
    },
  });
  expect(JSON.stringify(stale)).not.toContain("internal");

  const invalid = JSON.parse(await executeTool(page, "book_slot", { room: 1 }));
  expect(invalid.structuredContent).toEqual({
    code: "invalid_input",
    issues: expect.arrayContaining([expect.objectContaining({ path: "/slot" })]),
  });

  // What is not Signett's to decide is thrown in both modes.
  const foreign = await callTool(page, "book_slot", { slot: "broken" });
  expect(foreign).toMatchObject({
    status: "failed",
    error: { name: "RangeError", message: "the application's own" },
  });
});

test("the browser sees a tool as it was defined, and no more of it after dispose", async ({
  openLab,
}) => {
  const page = await openLab();
  const seen = await page.evaluate(async () => {
    const surface = window.lab.signett.createSignett();
    const hints = {
      readOnlyHint: true,
      untrustedContentHint: true,
      consequentialHint: true,
      debugging: true,
    };
    const definition = {
      name: "read_clock",
      title: "Read the clock",
      description: "Read the clock on the wall.",
      inputSchema: { type: "object", additionalProperties: false },
      annotations: hints,
      execute: () => "noon",
    };
    const registration = await surface.expose(definition);
    const list = async () =>
      ((await document.modelContext?.getTools()) ?? []).map(
        ({ name, title, description, annotations }) => ({
          ...{ name, title, description },
          hints: Object.keys(hints).filter((hint) => Reflect.get(annotations ?? {}, hint) === true),
        }),
      );
    const before = await list();
    // In one tick, as StrictMode does it.
    registration.dispose();
    const again = await surface.expose(definition);
    const exposedAgain = await list();
    again.dispose();
    again.dispose();
    return { before, exposedAgain, after: await list(), status: again.status };
  });
  expect(seen.before).toEqual([
    {
      name: "read_clock",
      title: "Read the clock",
      description: "Read the clock on the wall.",
      hints: ["readOnlyHint", "untrustedContentHint", "consequentialHint", "debugging"],
    },
  ]);
  expect(seen.exposedAgain).toEqual(seen.before);
  expect(seen.after).toEqual([]);
  expect(seen.status).toBe("disposed");
});

test("a registration that is ended on its way leaves nothing registered", async ({ openLab }) => {
  const page = await openLab();
  const ended = await page.evaluate(async () => {
    const surface = window.lab.signett.createSignett();
    const tool = {
      name: "read_clock",
      description: "Read the clock on the wall.",
      inputSchema: { type: "object" },
      execute: () => "noon",
    };
    const unmounted = new AbortController();
    const first = surface.expose(tool, { signal: unmounted.signal }).catch(String);
    unmounted.abort("unmounted");
    const second = await surface.expose(tool);
    const names = ((await document.modelContext?.getTools()) ?? []).map(({ name }) => name);
    second.dispose();
    const left = await document.modelContext?.getTools();
    return { first: await first, names, left: left?.length };
  });
  expect(ended).toEqual({ first: "unmounted", names: ["read_clock"], left: 0 });
});

test("a host that takes no tools, or has one of that name already, is heard; nothing is left exposed (C148, webmachinelearning/webmcp index.bs (0b676d2))", async ({
  openLab,
}) => {
  const page = await openLab();
  const outcomes = await page.evaluate(async () => {
    const { createSignett } = window.lab.signett;
    const tool = {
      name: "read_clock",
      description: "Read the clock on the wall.",
      inputSchema: { type: "object" },
      execute: () => "noon",
    };
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const inactive = frame.contentDocument?.modelContext;
    const host = document.modelContext;
    if (!inactive || !host) throw new Error("There is no WebMCP.");
    frame.remove();
    const detached = createSignett({ modelContext: inactive });
    const outcome = (exposing: Promise<{ status: string }>) =>
      exposing.then(
        ({ status }) => status,
        ({ name, message }: Error) => `${name}: ${message}`,
      );
    const inDetached = [
      await outcome(detached.expose(tool)),
      await outcome(detached.expose(tool)),
      detached.tools().length,
    ];
    const foreign = new AbortController();
    await host.registerTool(tool, { signal: foreign.signal });
    const surface = createSignett();
    const taken = [await outcome(surface.expose(tool)), surface.tools().length];
    foreign.abort();
    const free = [
      await outcome(surface.expose(tool)),
      // Another interface on the same page, as a second copy of a component makes it.
      await outcome(createSignett().expose(tool)),
      surface.tools().length,
    ];
    return { inDetached, taken, free };
  });
  const inactive = expect.stringMatching(/^InvalidStateError: .*not active/);
  expect(outcomes).toEqual({
    inDetached: [inactive, inactive, 0],
    taken: [expect.stringMatching(/^InvalidStateError: /), 0],
    free: ["registered", expect.stringMatching(/^TypeError: .*already exposed/), 1],
  });
});
