import * as Comlink from "comlink";

const database = new Promise<IDBDatabase>((resolve, reject) => {
  const request = indexedDB.open("floor", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("rows");
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Milliseconds of a transaction with one `get` and one `put` for each key. */
async function transaction(
  durability: IDBTransactionDurability,
  keys: readonly string[],
): Promise<number> {
  const open = await database;
  const start = performance.now();
  await new Promise<void>((resolve, reject) => {
    const transaction = open.transaction("rows", "readwrite", { durability });
    const rows = transaction.objectStore("rows");
    for (const key of keys) {
      rows.get(key).onsuccess = () => rows.put({ key, text: "x".repeat(100) }, key);
    }
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  return performance.now() - start;
}

/** What a worker's answers can't be faster than. */
const floorWorker = {
  ping: () => true,
  transaction,
  /** Milliseconds of that many claims and completions, so many in one transaction: a strict and a relaxed one in turn. */
  async operations(count: number, together: number): Promise<number[]> {
    let ms = 0;
    const all = Array.from({ length: count }, (_, i) => `${performance.now()} ${i}`);
    for (let from = 0; from < count; from += together) {
      const keys = all.slice(from, from + together);
      ms += await transaction("strict", keys);
      ms += await transaction("relaxed", keys);
    }
    return [ms];
  },
  /** Strict and relaxed ones in turn, as a call has them. */
  async transactions(count: number): Promise<Record<"strict" | "relaxed", number[]>> {
    const times = { strict: [] as number[], relaxed: [] as number[] };
    for (let i = 0; i < count; i++) {
      times.strict.push(await transaction("strict", [`${i}`]));
      times.relaxed.push(await transaction("relaxed", [`${i}`]));
    }
    return times;
  },
};

export type FloorWorker = typeof floorWorker;

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) Comlink.expose(floorWorker, port);
});
