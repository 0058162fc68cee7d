import type { OperationState } from "../src/operations.js";
import type { WorkerHealth } from "../worker/protocol.js";
import type { Link } from "./link.js";
import type { ProfileMode } from "./mode.js";

/** How a profile is, as plain data for a monitor or a support request; nothing of what is stored. */
export interface ProfileHealth {
  readonly mode: ProfileMode;
  /** The run of the worker that answered, and the version of the library in it. */
  readonly worker?: { readonly instance: string; readonly build: string };
  readonly durability: "strict" | "relaxed";
  /** How many operations there are in each state. Absent where the store can't be asked. */
  readonly counts?: Readonly<Record<OperationState, number>>;
  /** Bytes that this origin has stored, by the browser's estimate, of all its data. */
  readonly usage?: number;
  /** Bytes that it may store. */
  readonly quota?: number;
  /** Whether the browser has promised not to delete them under pressure: see `navigator.storage.persist()`. */
  readonly persisted?: boolean;
  /** What this worker's storage has reported last; `at` in epoch milliseconds. */
  readonly lastStorageError?: {
    readonly name: string;
    readonly message: string;
    readonly at: number;
  };
  /** Why the worker could not be asked. */
  readonly problem?: string;
}

/** Asks the worker and the browser. It rejects for no reason: what can't be learned is left out. */
export async function healthOf({
  mode,
  durability,
  storage,
  ...tab
}: {
  readonly link: Link;
  /** Throws where calls can't be coordinated. */
  readonly usable: () => void;
  readonly mode: () => ProfileMode;
  readonly durability: "strict" | "relaxed";
  readonly storage: StorageManager | undefined;
}): Promise<ProfileHealth> {
  const [worker, { usage, quota } = {}, persisted] = await Promise.all([
    workerHealth(tab),
    storage?.estimate?.().catch(() => undefined),
    storage?.persisted?.().catch(() => undefined),
  ]);
  return {
    mode: mode(),
    durability,
    ...worker,
    ...(usage !== undefined && { usage }),
    ...(quota !== undefined && { quota }),
    ...(persisted !== undefined && { persisted }),
  };
}

async function workerHealth({
  link,
  usable,
}: {
  readonly link: Link;
  readonly usable: () => void;
}): Promise<Partial<ProfileHealth>> {
  try {
    usable();
    const { instance } = await link.connected();
    const { build, counts, lastStorageError } = await link.ask<WorkerHealth>((remote) =>
      remote.health(),
    );
    return { worker: { instance, build }, counts, ...(lastStorageError && { lastStorageError }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
