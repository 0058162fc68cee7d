import type { Change, Contents } from "../../src/testing/profile/contents.js";
import { decoded } from "./codec.js";
import { must } from "./violation.js";

type Rows = Contents["entries"];

/** The journal entries of the profile: each names the claim that wrote it by its fence. */
export class Entries {
  #last: Rows = new Map();

  /** @throws {Violation} for an entry that was written or left where recovery would take it for another claim's. */
  judge(changes: readonly Change[], { records, entries }: Contents): void {
    for (const [key, row] of entries) {
      const { fence } = decoded(row.entry) as { readonly fence: number };
      const record = records.get(key);
      if (this.#last.get(key) !== row) {
        const change = changes.find((other) => other.key === key);
        const before = change ? change.before : record;
        must(
          before?.state === "claimed" && before.fence === fence,
          "A journal entry was written by somebody who does not own the key.",
        );
      }
      must(
        record?.state === "claimed" || record?.state === "in_doubt",
        "A journal entry was left where nobody is in doubt.",
      );
      must(
        record.state === "in_doubt" || record.takeover || record.fence === fence,
        "An earlier owner's journal entry was left to a fresh claim.",
      );
    }
    this.#last = entries;
  }

  /** What there is now was written before. */
  see({ entries }: Contents): void {
    this.#last = entries;
  }
}
