/**
 * `signett`: tools for WebMCP that are called once, whatever is retried.
 *
 * @module
 */
export {
  type ActivityOptions,
  createSignettActivity,
  type SignettActivity,
} from "./activity/activity.js";
export type { ActivitySnapshot } from "./activity/calls.js";
export type { ActivityInvocation, ActivityPhase } from "./activity/invocation.js";
export type {
  AbandonOptions,
  ActivityReport,
  BeginOptions,
  Begun,
  ClaimOptions,
  IdempotencyStore,
  JournalOptions,
  OperationJournal,
  Profile,
  ProfileActivity,
  Progress,
  StartOptions,
} from "./contracts.js";
export {
  AuthorizationError,
  ClaimLostError,
  ConfirmationError,
  CoordinationUnavailableError,
  IdempotencyConflictError,
  InterruptedOperationError,
  OperationInProgressError,
  OutcomeUnknownError,
  OutputError,
  SignettError,
  ValidationError,
  type ValidationIssue,
  VerificationError,
} from "./errors.js";
export type { LifecycleEvent, Observer, Stage } from "./events.js";
export type { FailureResult } from "./failure-result.js";
export { type Guarded, type GuardOptions, guard } from "./guard.js";
export type { ContextHook } from "./invocation.js";
export type { ModelContext, ModelContextTool, ToolAnnotations } from "./model-context.js";
export { OperationNotInDoubtError, OperationPurgedError } from "./operation-errors.js";
export type {
  OperationInfo,
  OperationPage,
  OperationQuery,
  OperationResolution,
  OperationState,
  ProfileOperations,
  PurgeResult,
} from "./operations.js";
export { ToolReadinessError } from "./readiness/error.js";
export type { ReadinessCode, ReadinessFinding } from "./readiness/finding.js";
export {
  assertToolReady,
  checkToolReadiness,
  type ReadinessOptions,
} from "./readiness/readiness.js";
export type { Registration } from "./registration.js";
export { createSignett, type ExposeOptions, type Signett, type SignettOptions } from "./signett.js";
export type {
  Authorization,
  Confirmation,
  ConfirmHook,
  HookInvocation,
  Idempotency,
  Invocation,
  Journal,
  Operation,
  Recovery,
  Tool,
  Verification,
} from "./tool.js";
export {
  type Repair,
  type RepairAction,
  type RepairInvariants,
  type RepairPlan,
  type RepairStep,
  type RetryPolicy,
  ToolError,
  type ToolErrorOptions,
} from "./tool-error.js";
export type { InputCheck, SchemaValidator } from "./validation/validator.js";
export { WebStorageOperationJournal } from "./web-storage-journal.js";
