import { chromium, type Page } from "@playwright/test";
import {
  callInAll,
  callTool,
  cancel,
  closeTab,
  crashTab,
  eventsOf,
  expect,
  openTabs,
  ownerOf,
  untilStage,
} from "signett/testing/playwright";
import { note, sent, test } from "./support/notes.js";

test("a call is an outside agent's: it tells the output, the path and the stages", async ({
  openTabs,
  notes,
}) => {
  const [page] = await openTabs("/notes.html");
  const result = await callTool(page, "send_note", note);
  expect(result).toEqual({
    status: "answered",
    output: sent,
    via: "native",
    stages: ["started", "validated", "authorized", "executed", "succeeded"],
  });
  const otherOrder = { text: note.text, id: note.id };
  expect(await callTool(page, "send_note", otherOrder)).toBeReplayed();
  expect(notes.sent).toEqual(["n-1"]);
});

test("a failed call tells the tool's own error", async ({ openTabs, notes }) => {
  const [page] = await openTabs("/notes.html");
  expect(await callTool(page, "send_note", { id: "refused", text: "hello" })).toMatchObject({
    status: "failed",
    error: {
      name: "ToolError",
      code: "note_refused",
      message: expect.stringContaining("This note was refused."),
    },
  });
  expect(await callTool(page, "send_note", {})).toMatchObject({
    error: { name: "ValidationError", code: "invalid_input" },
    stages: ["started", "failed"],
  });
  expect(notes.sent).toEqual([]);
});

test("a call waits for its tool; when it never comes, the error names the others", async ({
  openTabs,
  notes: _notes,
}) => {
  const [page] = await openTabs("/notes.html");
  const call = callTool(page, "send_note", note);
  expect(await call).toMatchObject({ status: "answered" });
  await expect(callTool(page, "send_nothing", {}, { timeoutMs: 50 })).rejects.toThrow(
    'has not registered a tool "send_nothing" within 50 ms. Registered tools: send_note.',
  );
});

test("without WebMCP a call is refused, unless the tabs were opened for their executors", async ({
  baseURL,
  launchOptions,
}) => {
  const args = (launchOptions.args ?? []).filter((arg) => !arg.includes("WebMCP"));
  const browser = await chromium.launch({ ...launchOptions, args });
  const open = async (via: "native" | "page") => {
    const context = await browser.newContext({ ...(baseURL && { baseURL }) });
    await context.route("**/api/notes/*", (route) => route.fulfill({ json: sent }));
    return await openTabs(context, "/notes.html", 2, { via });
  };
  const [without] = await open("native");
  await expect(callTool(without, "send_note", note)).rejects.toThrow(/no WebMCP.*via: "page"/);

  const pages = await open("page");
  const results = await callInAll(pages, "send_note", note);
  expect(results).toHaveConverged();
  expect(results.map(({ via }) => via)).toEqual(["page", "page"]);
  expect(await callTool(pages[0], "send_note", {})).toMatchObject({
    error: { name: "ValidationError", code: "invalid_input" },
  });
  await expect(callTool(pages[0], "send_nothing", {}, { timeoutMs: 50 })).rejects.toThrow(
    "Registered tools: send_note.",
  );
  await browser.close();
});

for (const via of ["native", "page"] as const) {
  test(`a call that is taken back is over for the agent, and the tool is told (${via})`, async ({
    openTabs,
    notes,
  }) => {
    const [page] = await openTabs("/notes.html", 1, { via });
    notes.hold();
    const call = callTool(page, "send_note", note);
    await notes.effects(1);
    await cancel(call);
    expect(await call).toMatchObject({ status: "cancelled", via });
    // The tool's request ends with its signal, so that it asks for the receipt in vain.
    await untilStage(page, "failed");

    const stop = new AbortController();
    const other = callTool(page, "send_note", { ...note, id: "n-2" }, { signal: stop.signal });
    await notes.effects(2);
    stop.abort();
    expect(await other).toMatchObject({ status: "cancelled" });
    await cancel(other);
    await expect(
      callTool(page, "send_note", note, { signal: AbortSignal.abort("enough") }),
    ).rejects.toBe("enough");
  });
}

test("calls in all tabs start together: none before the last has come", async ({
  openTabs,
  notes,
}) => {
  const pages = await openTabs("/notes.html", 4);
  // The last tab is slow: it exposes its tool when the others have been called.
  await pages[3].goto("/notes.html?late");
  const calls = callInAll(pages, "send_note", note);
  await Promise.all(pages.slice(0, 3).map(atBarrier));
  await pages[3].evaluate(() => window.exposeNote());
  expect(await calls).toHaveConverged();
  expect(notes.sent).toEqual(["n-1"]);
  const stamps = await Promise.all(pages.map((page) => stamp(page, "started")));
  const registered = await stamp(pages[3], "registered");
  for (const started of stamps) expect(started).toBeGreaterThanOrEqual(registered);
});

/** Resolves when the page's call waits for the others. */
async function atBarrier(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const place = globalThis as Record<symbol, { arrived?: Promise<void> } | undefined>;
    return place[Symbol.for("signett.testing")]?.arrived?.then(() => true);
  });
}

async function stamp(page: Page, stage: string): Promise<number> {
  const events = await eventsOf(page);
  return events.find((event) => event.stage === stage)?.timestamp ?? 0;
}

for (const [death, end] of [
  ["closed", closeTab],
  ["crashed", crashTab],
] as const) {
  test(`the owner's tab is ${death}: its call is gone, and the others get one answer`, async ({
    openTabs,
    notes,
  }) => {
    const pages = await openTabs("/notes.html", 4);
    notes.hold();
    const calls = callInAll(pages, "send_note", note);
    const owner = await ownerOf(pages);
    await notes.effects(1);
    await end(owner);
    const results = await calls;
    expect(results).toHaveConverged();
    expect(results.filter(({ status }) => status === "gone")).toHaveLength(1);
    expect(notes.sent).toEqual(["n-1"]);
  });
}

test("a page that shows another document has no answer to give", async ({ openTabs, notes }) => {
  const [page] = await openTabs("/notes.html");
  notes.hold();
  const call = callTool(page, "send_note", note);
  await notes.effects(1);
  await page.evaluate(() => history.pushState({}, "", "?elsewhere"));
  await page.reload();
  expect(await call).toEqual({ status: "gone", via: "native", stages: [] });
});

test("a page that was opened before its context was prepared can be called, not looked at", async ({
  context,
  notes: _notes,
}) => {
  const page = await context.newPage();
  await page.goto("/notes.html");
  expect(await callTool(page, "send_note", note)).toMatchObject({ status: "answered", stages: [] });
  await expect(eventsOf(page)).rejects.toThrow("before its context was prepared");
  await expect(callInAll([page], "send_note", note)).rejects.toThrow("callInAll: this page");
  await expect(untilStage(page, "succeeded")).rejects.toThrow("untilStage: this page");
  await expect(ownerOf([page])).rejects.toThrow(TypeError);
  await openTabs(context, "/notes.html");
  await expect(openTabs(context, "/notes.html", 1, { via: "page" })).rejects.toThrow(TypeError);
});
