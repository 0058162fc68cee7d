import * as Comlink from "comlink";

const database = new Promise<IDBDatabase>((resolve, reject) => {
  const request = indexedDB.open("floor", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("rows");
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** What a worker's answers can't be faster than. */
const floorWorker = {
  ping: () => true,
  /** Milliseconds of each transaction with one `get` and one `put`. */
  async transactions(durability: IDBTransactionDurability, count: number): Promise<number[]> {
    const open = await database;
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const start = performance.now();
      await new Promise<void>((resolve, reject) => {
        const transaction = open.transaction("rows", "readwrite", { durability });
        const rows = transaction.objectStore("rows");
        const key = `${durability} ${i}`;
        rows.get(key).onsuccess = () => rows.put({ key, text: "x".repeat(100) }, key);
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      });
      times.push(performance.now() - start);
    }
    return times;
  },
};

export type FloorWorker = typeof floorWorker;

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) Comlink.expose(floorWorker, port);
});
