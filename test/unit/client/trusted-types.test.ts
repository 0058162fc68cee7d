import { afterEach, describe, expect, it, vi } from "vitest";
import { defaultWorker } from "../../../client/default-worker.js";
import { shared } from "../../../src/shared.js";

type Rules = { createScriptURL: (url: string) => string };

/** A page of one origin that records which URLs workers are made from. */
function page(trustedTypes: object | undefined, origin = "file://") {
  const made: unknown[] = [];
  vi.stubGlobal(
    "SharedWorker",
    class {
      constructor(url: unknown) {
        made.push(url);
      }
    },
  );
  // What Node gives the library's files.
  const location = { origin: origin === "file://" ? "null" : origin, href: `${origin}/` };
  vi.stubGlobal("location", location);
  vi.stubGlobal("trustedTypes", trustedTypes);
  return made;
}

afterEach(() => {
  vi.unstubAllGlobals();
  shared().scriptUrls = undefined;
});

describe("the worker beside the library", () => {
  it("is made through one policy named `signett`, however many are made", () => {
    const names: string[] = [];
    const made = page({
      createPolicy: (name: string, rules: Rules) => {
        names.push(name);
        return { createScriptURL: (url: string) => `trusted ${rules.createScriptURL(url)}` };
      },
    });
    defaultWorker("a");
    defaultWorker("b");
    expect(names).toEqual(["signett"]);
    expect(made).toEqual(Array(2).fill(expect.stringMatching(/^trusted .*worker\.js$/)));
  });

  it("is refused from another origin: the policy passes no one else's scripts", () => {
    page({ createPolicy: (_: string, rules: Rules) => rules }, "https://shop.example");
    expect(() => defaultWorker("a")).toThrow("the page's own origin");
  });

  it("is passed where a bundler made its URL from a path alone, as Turbopack does", () => {
    const passed: string[] = [];
    const createPolicy = (_: string, { createScriptURL }: Rules) => {
      passed.push(createScriptURL("/_next/worker.js"));
      return { createScriptURL };
    };
    page({ createPolicy });
    defaultWorker("a");
    expect(passed).toEqual(["/_next/worker.js"]);
  });

  it.each([
    ["knows no Trusted Types", undefined],
    [
      "does not allow the policy's name",
      {
        createPolicy: () => {
          throw new TypeError("the name is not allowed");
        },
      },
    ],
  ])("is made from its plain URL where the page %s", (_, trustedTypes) => {
    const made = page(trustedTypes);
    defaultWorker("a");
    expect(made).toEqual([expect.any(URL)]);
  });
});
