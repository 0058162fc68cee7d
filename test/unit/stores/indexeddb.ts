import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { type MockInstance, vi } from "vitest";

/** An empty browser storage. What was opened before lives on for whoever has it open. */
export function emptyStorage(): void {
  globalThis.indexedDB = new IDBFactory();
}

/** The transactions that are begun from now on, but for those that create the database. */
export function watchTransactions(): {
  readonly durabilities: (string | undefined)[];
  latest(): IDBTransaction;
} {
  const spy: MockInstance<IDBDatabase["transaction"]> = vi.spyOn(
    IDBDatabase.prototype,
    "transaction",
  );
  return {
    get durabilities() {
      return spy.mock.calls
        .filter(([, mode]) => mode === "readwrite")
        .map(([, , options]) => options?.durability);
    },
    latest() {
      const result = spy.mock.results.at(-1);
      if (result?.type !== "return") throw new Error("No transaction has begun.");
      return result.value;
    },
  };
}

/** Waits for a request to succeed. */
export function succeeded<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
