import { describe, expect, expectTypeOf, it } from "vitest";
import type { IdempotencyStore, OperationJournal, Profile } from "../../../src/contracts.js";
import { SignettError } from "../../../src/errors.js";
import { ToolReadinessError } from "../../../src/readiness/error.js";
import type { ReadinessCode } from "../../../src/readiness/finding.js";
import { readingVerbs } from "../../../src/readiness/naming.js";
import { assertToolReady, checkToolReadiness } from "../../../src/readiness/readiness.js";
import { found, readyTool } from "./tools.js";

const store: IdempotencyStore = {
  begin: async () => ({ state: "fresh" }),
  complete: async () => {},
  release: async () => {},
  abandon: async () => {},
};
const journalOf = (scope?: "tab" | "profile"): OperationJournal => ({
  scope,
  read: () => undefined,
  write: () => {},
  remove: () => {},
});
const profile: Profile = { idempotency: store, journal: journalOf("profile") };

/** A tool with an effect and nothing to find. */
const effect = {
  ...readyTool,
  name: "cancel_order",
  annotations: {},
  idempotency: { key: () => "key" },
  recover: () => ({ recovered: false }) as const,
  verify: () => true,
};

describe("a name", () => {
  it.each(["cancel_order", "add_line_2", "check_in_guest"])("is verb_noun: %s", (name) => {
    expect(found({ ...effect, name })).not.toContain("name_not_verb_noun /name");
  });

  it.each([
    "cancel",
    "cancelOrder",
    "Cancel_order",
    "cancel-order",
    "cancel_",
    "_order",
    "a__b",
    "",
  ])("is not verb_noun: %j", (name) => {
    expect(found({ ...effect, name })).toEqual(["name_not_verb_noun /name"]);
  });

  it.each(readingVerbs)("that starts with %s promises to read only", (verb) => {
    const hint = "read_not_marked /annotations/readOnlyHint";
    expect(found({ ...effect, name: `${verb}_orders` })).toEqual([hint]);
    expect(found({ ...effect, name: `${verb}Orders` })).toContain(hint);
    expect(found({ ...readyTool, name: `${verb}_orders` })).toEqual([]);
    expect(found({ ...effect, name: `${verb}x_orders` })).toEqual([]);
  });
});

describe("a description", () => {
  it.each(["Cancel one open order.", "未発送の注文を取り消します。", "a b c d"])(
    "of four words is enough: %s",
    (description) => {
      expect(found({ ...readyTool, description })).toEqual([]);
    },
  );

  it.each(["Cancel an order.", "- – cancel · an – order", "", "  \n"])(
    "of fewer words is not: %j",
    (description) => {
      expect(found({ ...readyTool, description })).toEqual(["description_too_short /description"]);
    },
  );
});

describe("a tool with an effect", () => {
  it("is ready with the profile's store and journal, recovery and verification", () => {
    expect(found(effect)).toEqual([]);
  });

  it("needs verification, unless it only reads", () => {
    const { verify: _, ...unverified } = effect;
    expect(found(unverified)).toEqual(["verify_missing /verify"]);
    expect(found({ ...unverified, annotations: { readOnlyHint: true } })).toEqual([]);
    expect(found({ ...unverified, annotations: { readOnlyHint: false } })).toEqual([
      "verify_missing /verify",
    ]);
  });

  it("needs recovery if it is idempotent", () => {
    const { recover: _, ...unrecoverable } = effect;
    expect(found(unrecoverable)).toEqual(["recover_missing /recover"]);
    const { idempotency: __, ...unkeyed } = unrecoverable;
    expect(found(unkeyed)).toEqual([]);
  });

  it("needs a journal beside a store of its own", () => {
    const own = { ...effect, idempotency: { key: () => "key", store } };
    expect(found(own)).toEqual(["journal_missing /journal/store"]);
    expect(found({ ...own, journal: { key: () => "entry" } })).toEqual([
      "journal_missing /journal/store",
    ]);
    expect(found({ ...own, journal: { store: journalOf("profile") } })).toEqual([]);
  });

  it("needs none beside the profile's store, named or not", () => {
    const named = { ...effect, idempotency: { key: () => "key", store } };
    expect(checkToolReadiness(named, { profile })).toEqual([]);
    expect(checkToolReadiness(effect, { profile })).toEqual([]);
    const other = { ...effect, idempotency: { key: () => "key", store: { ...store } } };
    expect(checkToolReadiness(other, { profile })).toHaveLength(1);
  });

  it.each([undefined, "tab"] as const)("needs a journal for all tabs, not of scope %s", (scope) => {
    const journal = { store: journalOf(scope) };
    const finding = "journal_of_one_tab /journal/store";
    expect(found({ ...effect, journal })).toEqual([finding]);
    expect(found({ ...effect, journal, idempotency: { key: () => "k", store } })).toEqual([
      finding,
    ]);
    const { idempotency: _, ...unkeyed } = effect;
    expect(found({ ...unkeyed, journal })).toEqual([]);
  });

  it("may use the profile's journal", () => {
    expect(checkToolReadiness({ ...effect, journal: { store: profile.journal } })).toEqual([]);
  });
});

describe("an output budget", () => {
  it.each([1, 2_048, undefined])("may be %s", (outputBudgetBytes) => {
    const tool = {
      ...readyTool,
      ...(outputBudgetBytes === undefined ? {} : { outputBudgetBytes }),
    };
    expect(found(tool)).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "may not be %s",
    (outputBudgetBytes) => {
      expect(found({ ...readyTool, outputBudgetBytes })).toEqual([
        "output_budget_invalid /outputBudgetBytes",
      ]);
    },
  );
});

describe("a finding", () => {
  it("has a code, a JSON Pointer and advice, and can't be changed", () => {
    const [finding] = checkToolReadiness({ ...readyTool, name: "x" });
    expect(finding).toEqual({
      code: "name_not_verb_noun",
      path: "/name",
      message: "Name the tool verb_noun in lower snake case, such as search_products.",
    });
    expect(Object.isFrozen(finding)).toBe(true);
    expectTypeOf<"open_object">().toExtend<ReadinessCode>();
    expectTypeOf<ReadinessCode>().not.toEqualTypeOf<string>();
  });
});

describe("assertToolReady", () => {
  const failure = (tool: Parameters<typeof assertToolReady>[0]): ToolReadinessError => {
    try {
      assertToolReady(tool);
    } catch (error) {
      if (error instanceof ToolReadinessError) return error;
      throw error;
    }
    throw new Error("The tool was found ready.");
  };

  it("lets a ready tool pass, with the profile that makes it so", () => {
    assertToolReady(readyTool);
    const named = { ...effect, idempotency: { key: () => "key", store } };
    expect(() => assertToolReady(named)).toThrow(ToolReadinessError);
    assertToolReady(named, { profile });
  });

  it("throws one error that lists everything", () => {
    const error = failure({
      ...readyTool,
      name: "products",
      description: "Products.",
      inputSchema: {},
    });
    expect(error).toBeInstanceOf(SignettError);
    expect(error.name).toBe("ToolReadinessError");
    expect(error.code).toBe("tool_not_ready");
    expect(error.message).toBe(
      'Tool "products" is not ready for agents: /name (name_not_verb_noun), ' +
        "/description (description_too_short), /inputSchema (open_object). " +
        "See `findings` for what to do.",
    );
    expect(error.findings.map(({ path }) => path)).toEqual([
      "/name",
      "/description",
      "/inputSchema",
    ]);
    expect(Object.isFrozen(error.findings)).toBe(true);
  });

  it("counts what does not fit into the message", () => {
    const names = Array.from({ length: 200 }, (_, index) => `field${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "integer" }]));
    const inputSchema = { type: "object", properties, additionalProperties: false };
    const { message, findings } = failure({ ...readyTool, inputSchema });
    expect(findings).toHaveLength(200);
    expect(message.length).toBeLessThanOrEqual(1_000);
    const [, rest = "0"] = / and (\d+) more\. See `findings`/.exec(message) ?? [];
    expect(message.match(/undocumented_argument/g)).toHaveLength(200 - Number(rest));
    expect(message.length).toBeGreaterThan(850);
  });

  it("has a short and visible message whatever the tool is called", () => {
    const name = `\u202E${"x".repeat(10_000)}\n`;
    const inputSchema = { type: "object", properties: { ["\u0000".repeat(9) + name]: true } };
    const { message } = failure({ ...readyTool, name, inputSchema });
    expect(message.length).toBeLessThanOrEqual(1_000);
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(message).toContain("undocumented_argument");
  });
});
