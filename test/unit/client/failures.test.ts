import { describe, expect, it } from "vitest";
import { rebuilt } from "../../../client/failures.js";
import { CoordinationUnavailableError } from "../../../src/errors.js";
import type { Failure } from "../../../worker/protocol.js";

/** What a tab makes of a failure that came through its port. */
const received = (failure: Failure): Error => rebuilt(structuredClone(failure));

describe("a failure that came from the worker", () => {
  it("of the storage has its name, by which applications tell a full disk from a lost database (C099, whatwg/html#5665)", () => {
    const failure = { kind: "storage", name: "QuotaExceededError", message: "full" } as const;
    expect(received(failure)).toBeInstanceOf(DOMException);
    expect(received(failure)).toMatchObject({ name: "QuotaExceededError", message: "full" });
  });

  it("of a message that was refused has class, code and the worker's words (C039, GoogleChromeLabs/comlink#594)", () => {
    const error = received({ kind: "refused", message: "its version is 9" });
    expect(error).toBeInstanceOf(CoordinationUnavailableError);
    expect(error).toMatchObject({
      code: "coordination_unavailable",
      message: expect.stringContaining("its version is 9"),
    });
  });

  it("has no class of which it only has the name (C100, whatwg/html#5140)", () => {
    const error = received({ kind: "storage", name: "TypeError", message: "not one" });
    expect(error).not.toBeInstanceOf(TypeError);
    expect(error).toBeInstanceOf(DOMException);
  });
});
