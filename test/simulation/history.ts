import type { OperationInfo } from "../../src/operations.js";
import type { OperationRecord } from "../../stores/records.js";

interface Past {
  readonly record: OperationRecord | undefined;
  readonly step: number;
}

/** What each key's record has been, and from which step on. */
export class History {
  readonly #pasts = new Map<string, Past[]>();

  add(key: string, record: OperationRecord | undefined, step: number): void {
    this.#of(key).push({ record, step });
  }

  /** The key's record was such a one at some time since that step. */
  some(
    key: string,
    since: number,
    such: (record: OperationRecord | undefined) => boolean,
  ): boolean {
    const pasts = this.#of(key);
    return pasts.some(
      ({ record }, index) => (pasts[index + 1]?.step ?? since) >= since && such(record),
    );
  }

  /** At some time since that step this could be told of the key: `undefined`, that there is nothing to tell. */
  couldTell(key: string, since: number, told: OperationInfo | undefined): boolean {
    return this.some(key, since, (record) => text(toldOf(record)) === text(told && lasting(told)));
  }

  #of(key: string): Past[] {
    const pasts = this.#pasts.get(key) ?? [{ record: undefined, step: 0 }];
    this.#pasts.set(key, pasts);
    return pasts;
  }
}

/** What may be told of a record, apart from what changes without it. */
function toldOf(record: OperationRecord | undefined): object | undefined {
  if (record === undefined || record.state === "purged") return undefined;
  const { key, tool, state, fence, executed, createdAt, updatedAt, attempts = 0 } = record;
  return {
    ...{ key, tool, state, fence, executed, createdAt, updatedAt, attempts },
    phase: "phase" in record ? record.phase : undefined,
    takeover: "takeover" in record ? record.takeover : undefined,
    owner: "owner" in record ? record.owner : undefined,
    expiresAt: "expiresAt" in record ? record.expiresAt : undefined,
    nextRecoveryAt: "recoverAt" in record ? record.recoverAt : undefined,
    label: record.audit?.label,
    outcome: record.audit?.outcome,
  };
}

function lasting(told: OperationInfo): object {
  const { key, tool, state, fence, executed, createdAt, updatedAt, attempts } = told;
  const { phase, takeover, owner, expiresAt, nextRecoveryAt, audit } = told;
  return {
    ...{ key, tool, state, fence, executed, createdAt, updatedAt, attempts },
    ...{ phase, takeover, owner: owner?.id, expiresAt, nextRecoveryAt },
    label: audit?.label,
    outcome: audit?.outcome,
  };
}

const text = (told: object | undefined): string => JSON.stringify(told) ?? "nothing";
