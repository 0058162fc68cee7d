import { indexedDbDatabase } from "../../stores/database.js";
import { namesOf } from "../../worker/names.js";

const AT_ONCE = 5_000;

/** Puts completed operations into a profile's database, past its worker. */
export async function fill(
  name: string,
  {
    from,
    to,
    bytes = 100,
  }: { readonly from: number; readonly to: number; readonly bytes?: number },
): Promise<void> {
  const database = indexedDbDatabase(namesOf(name).database);
  const output = { text: "x".repeat(bytes) };
  for (let start = from; start < to; start += AT_ONCE) {
    const end = Math.min(to, start + AT_ONCE);
    await database.transact("relaxed", async (rows) => {
      for (let i = start; i < end; i++) {
        const now = Date.now();
        void rows.putRecord({
          state: "completed",
          key: `filler ${i}`,
          tool: "bench",
          fence: i + 1,
          call: `filler ${i}`,
          attempt: 0,
          executed: true,
          output,
          createdAt: now,
          updatedAt: now,
          expiresAt: now + 24 * 3_600_000,
        });
      }
      await rows.putLastFence(end);
    });
  }
}
