import assert from "node:assert/strict";
import type {
  BeginOptions,
  Begun,
  ClaimOptions,
  IdempotencyStore,
  JournalOptions,
  OperationJournal,
} from "../../src/index.js";
import { type Grant, intent, type Ledger } from "./ledger.js";
import type { Idempotent } from "./scenario.js";

export const TOOL = "cancel_order";
export const KEY = "the operation";
export const ENTRY_KEY = "its entry";
export const ENTRY = "the correlation";

/** Long enough for everything that waits for nothing but promises. */
export const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The ledger as the store and the journal that a real call gets. */
export function storageOf(ledger: Ledger, tool: Idempotent) {
  let fence: number | undefined;

  /** What every call about the claim has to carry. */
  function own(operationKey: string, options: ClaimOptions): number | undefined {
    assert.equal(operationKey, KEY);
    assert.equal(options.fence, tool.store === "full" ? fence : undefined);
    options.signal.throwIfAborted();
    return fence;
  }

  async function begin(key: string, options: BeginOptions): Promise<Begun> {
    const { reserve = false, journalKey } = options;
    assert.deepEqual([key, options.tool], [KEY, TOOL]);
    ledger.reach("begin", intent({ reserves: reserve, names: journalKey !== undefined }));
    await turn(options);
    const begun = ledger.claim();
    if (begun.state === "completed") return { state: "completed", value: begun.output };
    fence = begun.fence;
    const state = begun.state === "fresh" ? "fresh" : "in_flight";
    return tool.store === "plain"
      ? { state }
      : { state, fence, lost: ledger.lost.signal, ...memory(begun, options) };
  }

  /** Waits for a live owner of the key, as long as the scenario has one and the caller waits. */
  async function turn({ signal, onWait }: BeginOptions): Promise<void> {
    if (tool.owner === "none" && tool.grantsToLeavers) return;
    signal.throwIfAborted();
    if (tool.owner === "none") return;
    onWait?.();
    ledger.reach("waiting");
    await (tool.owner === "settles" ? pause() : aborted(signal));
    signal.throwIfAborted();
  }

  /** What a full store remembers of the dead owner. */
  function memory({ executed }: Grant, { journalKey }: BeginOptions) {
    if (tool.found.state !== "in doubt") return {};
    switch (tool.found.named) {
      case "the same":
        return { executed, journalKey: journalKey ?? null };
      case "another":
        return { executed, journalKey: "of another journal" };
      case "none":
        return { executed, journalKey: null };
      case "not remembered":
        return { executed };
    }
  }

  const store: IdempotencyStore = {
    begin,
    complete: async (key, value, options) => ledger.complete(own(key, options), value),
    release: async (key, options) => ledger.release(own(key, options)),
    abandon: async (key, { executed = false, ...options }) =>
      ledger.abandon(own(key, options), { executed }),
    ...(tool.store === "full" && {
      start: async (key, { fresh = false, ...options }) =>
        ledger.start(own(key, options), { fresh }),
    }),
  };
  return { store, journal: journalOf(ledger, tool, own) };
}

function journalOf(
  ledger: Ledger,
  tool: Idempotent,
  own: (operationKey: string, options: ClaimOptions) => void,
): OperationJournal {
  function check(key: string, options: JournalOptions): void {
    assert.equal(key, tool.journalKey === "fine" ? ENTRY_KEY : KEY);
    own(options.operationKey, options);
  }
  return {
    ...(tool.journal !== "tab" && { scope: "profile" }),
    async read(key, options) {
      check(key, options);
      return ledger.readEntry() ? ENTRY : undefined;
    },
    async write(key, entry, options) {
      check(key, options);
      assert.equal(entry, ENTRY);
      const end = ledger.writeEntry();
      // Slow enough that a handler which does not wait for it ends first.
      await pause();
      end();
    },
    async remove(key, options) {
      check(key, options);
      ledger.removeEntry();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
