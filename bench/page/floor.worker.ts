import * as Comlink from "comlink";

const database = new Promise<IDBDatabase>((resolve, reject) => {
  const request = indexedDB.open("floor", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("rows");
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Milliseconds of a transaction with one `get` and one `put`. */
async function transaction(durability: IDBTransactionDurability, key: string): Promise<number> {
  const open = await database;
  const start = performance.now();
  await new Promise<void>((resolve, reject) => {
    const transaction = open.transaction("rows", "readwrite", { durability });
    const rows = transaction.objectStore("rows");
    rows.get(key).onsuccess = () => rows.put({ key, text: "x".repeat(100) }, key);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  return performance.now() - start;
}

/** What a worker's answers can't be faster than. */
const floorWorker = {
  ping: () => true,
  /** Strict and relaxed ones in turn, as a call has them. */
  async transactions(count: number): Promise<Record<"strict" | "relaxed", number[]>> {
    const times = { strict: [] as number[], relaxed: [] as number[] };
    for (let i = 0; i < count; i++) {
      times.strict.push(await transaction("strict", `${i}`));
      times.relaxed.push(await transaction("relaxed", `${i}`));
    }
    return times;
  },
};

export type FloorWorker = typeof floorWorker;

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) Comlink.expose(floorWorker, port);
});
