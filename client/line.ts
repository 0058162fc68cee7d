/** A way to a coordinator that has not said anything yet. */
export interface Line {
  readonly port: MessagePort;
  /** Rejects, with a {@link NotStarted}, when the coordinator's code is known not to run. */
  readonly failed: Promise<never>;
  /** The coordinator lives in this page, and ends with this line. */
  readonly inPage: boolean;
  close(): void;
}

/** The worker's script does not run. */
export class NotStarted extends Error {}

/** The worker runs, but has not answered in time. */
export class Silent extends Error {}
