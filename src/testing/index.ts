/**
 * `signett/testing`: WebMCP, Web Locks and stores without a browser, and the checks of store, journal and lock contracts.
 *
 * It imports no test framework and runs wherever the library does.
 *
 * @module
 */
export { MemoryIdempotencyStore } from "../../stores/memory.js";
export { checkIdempotencyStore, type StoreCheckOptions } from "./check-idempotency-store.js";
export { checkLockManager, type LockCheckOptions } from "./check-lock-manager.js";
export { checkOperationJournal, type JournalCheckOptions } from "./check-operation-journal.js";
export type { JournalSpace, JournalTab } from "./conformance/journal-world.js";
export type { LockSpace } from "./conformance/lock-world.js";
export {
  ConformanceError,
  type ConformanceReport,
  type FailedCheck,
  type SkippedCheck,
} from "./conformance/report.js";
export type { StoreSpace } from "./conformance/store-world.js";
export {
  createWebMcpTestHarness,
  type DiscoveredTool,
  type InvokeOptions,
  type WebMcpTestHarness,
} from "./harness.js";
export { createTestLockManager, type TestLockClient, type TestLockManager } from "./locks.js";
export { type MemoryJournalOptions, MemoryOperationJournal } from "./memory-journal.js";
export {
  createTestProfile,
  type TestProfile,
  type TestProfileOptions,
} from "./profile/create-test-profile.js";
export type { TestTab } from "./profile/tab.js";
export type { TestClock } from "./profile/test-clock.js";
