/**
 * `signett/stores`: the browser stores of the core concepts seed. Each tab works on IndexedDB by itself, without a worker.
 *
 * @module
 */
export {
  IndexedDbIdempotencyStore,
  type IndexedDbIdempotencyStoreOptions,
} from "./per-tab/idempotency-store.js";
export {
  IndexedDbOperationJournal,
  type IndexedDbOperationJournalOptions,
} from "./per-tab/operation-journal.js";
