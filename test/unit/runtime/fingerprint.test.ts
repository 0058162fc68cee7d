import { describe, expect, it } from "vitest";
import { canonicalJson, fingerprintOf } from "../../../src/fingerprint.js";
import { guard } from "../../../src/index.js";
import { MemoryIdempotencyStore, MemoryOperationJournal } from "../../../src/testing/index.js";

describe("canonical JSON (RFC 8785)", () => {
  it("writes numbers, texts and literals as the RFC's sample has them", () => {
    const sample = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("sorts keys by their UTF-16 code units, as the RFC's sample has them", () => {
    const sample = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    expect(Object.values(JSON.parse(canonicalJson(sample)))).toHaveLength(7);
    const order = Array.from(canonicalJson(sample).matchAll(/:"([^"]*)"/g), ([, value]) => value);
    expect(order).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  it("tells keys apart that differ in case only, in any order (C120, powertools-lambda-typescript source deepSort.ts)", () => {
    const one = canonicalJson({ a: 1, A: 2 });
    expect(canonicalJson({ A: 2, a: 1 })).toBe(one);
    expect(canonicalJson({ A: 1, a: 2 })).not.toBe(one);
  });
});

describe("a fingerprint", () => {
  it("is the SHA-256 of the canonical text", async () => {
    // The published digests of the texts `{}` and `"abc"` with its quotation marks.
    expect(await fingerprintOf({})).toBe(
      "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    );
    expect(await fingerprintOf({ b: [1], a: "x" })).toBe(await fingerprintOf({ a: "x", b: [1] }));
    expect(await fingerprintOf(undefined)).not.toBe(await fingerprintOf(null));
  });
});

interface Payment {
  readonly amount: number;
  readonly note?: string;
}

function payment(
  fingerprint: true | ((call: { input: Payment }) => unknown),
  execute: (input: Payment) => unknown = ({ amount }) => `paid ${amount}`,
) {
  const store = new MemoryIdempotencyStore();
  const journal = new MemoryOperationJournal();
  return guard(
    async (input: Payment, { operation }) => {
      await operation?.write({ amount: input.amount });
      return execute(input);
    },
    {
      name: "send_payment",
      inputSchema: { type: "object" },
      idempotency: { key: () => "payment-1", store, fingerprint },
      journal: { store: journal },
    },
  );
}

const conflict = { code: "idempotency_conflict", reason: "fingerprint" };

describe("a call with an equal key and another intent", () => {
  it("is refused when the operation is completed, and its message has no values", async () => {
    const pay = payment(true);
    expect(await pay({ amount: 1 })).toBe("paid 1");
    await expect(pay({ amount: 4711 })).rejects.toMatchObject(conflict);
    await expect(pay({ amount: 4711 })).rejects.not.toThrow("4711");
    expect(await pay({ amount: 1 })).toBe("paid 1");
  });

  it("is refused when the operation is in doubt", async () => {
    const pay = payment(true, () => {
      throw new Error("The answer was lost.");
    });
    await expect(pay({ amount: 1 })).rejects.toMatchObject({ code: "outcome_unknown" });
    await expect(pay({ amount: 2 })).rejects.toMatchObject(conflict);
    await expect(pay({ amount: 1 })).rejects.toMatchObject({ code: "outcome_unknown" });
  });

  it("is refused while another call runs, without waiting for it", async () => {
    let finish: (output: string) => void = () => {};
    let enter: () => void = () => {};
    const entered = new Promise<void>((resolve) => {
      enter = resolve;
    });
    const pay = payment(true, () => {
      enter();
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const first = pay({ amount: 1 });
    await entered;
    await expect(pay({ amount: 2 })).rejects.toMatchObject(conflict);
    finish("paid");
    expect(await first).toBe("paid");
  });

  it("is a replay where only what the fingerprint leaves out differs (C123, stripe/stripe-java#389)", async () => {
    const pay = payment(({ input }) => ({ amount: input.amount }));
    expect(await pay({ amount: 1, note: "first" })).toBe("paid 1");
    expect(await pay({ amount: 1, note: "again" })).toBe("paid 1");
    await expect(pay({ amount: 2 })).rejects.toMatchObject(conflict);
  });
});

describe("a fingerprint function", () => {
  it("that gives no JSON data refuses the call before anything runs", async () => {
    const pay = payment(() => new Map());
    await expect(pay({ amount: 1 })).rejects.toThrow(
      'Tool "send_payment": `idempotency.fingerprint` must give JSON data. Nothing was executed.',
    );
  });

  it("must be one, or true", () => {
    const idempotency = { key: () => "k", store: new MemoryIdempotencyStore(), fingerprint: "yes" };
    const journal = { store: new MemoryOperationJournal() };
    const options = { name: "send_payment", inputSchema: {}, idempotency, journal };
    // @ts-expect-error neither a function nor true
    expect(() => guard(() => 1, options)).toThrow("`idempotency.fingerprint` must be a function");
  });
});
