import {
  callTool,
  crashTab,
  expect,
  operations,
  type ToolResult,
} from "signett/testing/playwright";
import { note, sent, test } from "./support/notes.js";

test("what is stored for each key can be seen from any tab, and doubt is told from done", async ({
  openTabs,
  notes,
}) => {
  const [page, owner] = await openTabs("/notes.html", 2);
  expect(await operations(page)).toEqual([]);
  expect(await callTool(page, "send_note", note)).toMatchObject({ output: sent });
  notes.hold();
  const lost = callTool(owner, "send_note", { ...note, id: "n-2" });
  await notes.effects(2);
  await crashTab(owner);
  expect(await lost).toMatchObject({ status: "gone" });
  await expect
    .poll(async () => (await operations(page)).map(({ key, state }) => [key, state]))
    .toEqual([
      ["note:n-1", "completed"],
      ["note:n-2", "in_doubt"],
    ]);
  const [done, doubt] = await operations(page);
  expect(done).not.toBeInDoubt();
  expect(doubt).toBeInDoubt();
  await expect(operations(page, { namespace: "other" })).rejects.toThrow(
    'the page has no profile "other". Its profiles: signett.',
  );
});

const ran = { via: "native", stages: ["executed"] } as const;
const heard = { via: "native", stages: ["replayed"] } as const;

test.describe("toHaveConverged", () => {
  const answered: ToolResult = { status: "answered", output: { a: 1, b: 2 }, ...ran };
  const replayed: ToolResult = { status: "answered", output: { b: 2, a: 1 }, ...heard };
  const gone: ToolResult = { status: "gone", via: "native", stages: [] };
  const failed: ToolResult = {
    status: "failed",
    error: { name: "Error", message: "no" },
    ...heard,
  };

  test("accepts one effect's answer, and callers that heard none", () => {
    expect([answered, replayed, replayed, gone]).toHaveConverged();
    expect([replayed]).toHaveConverged();
  });

  const faults: [what: string, results: ToolResult[]][] = [
    ["two effects", [answered, answered]],
    ["two answers", [answered, { ...replayed, output: { a: 2 } }]],
    ["a failure", [answered, failed]],
    ["no answer at all", [gone, gone]],
    ["nothing", []],
  ];
  for (const [what, results] of faults) {
    test(`refuses ${what}, and tells what each call came to`, () => {
      expect(results).not.toHaveConverged();
      expect(() => expect(results).toHaveConverged()).toThrow("Expected one answer in all calls");
    });
  }

  test("names the calls when it fails", () => {
    expect(() => expect([answered, failed, gone]).toHaveConverged()).toThrow(
      [
        '  1. answered {"a":1,"b":2} [executed]',
        "  2. failed with Error: no [replayed]",
        "  3. its page is gone",
      ].join("\n"),
    );
    expect(() => expect(answered).toBeReplayed()).toThrow("Expected a stored answer.");
    expect(() => expect(failed).toBeInDoubt()).toThrow("Expected an unknown outcome.");
  });
});
