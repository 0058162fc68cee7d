import type { IdempotencyStore } from "signett";
import { connectProfile } from "signett/client";
import { IndexedDbIdempotencyStore } from "signett/stores";

/** `profile`: the SharedWorker's. `baseline`: one store in each tab, what an app without the worker would use. */
export type Subject = "profile" | "baseline";

/** Nothing that is measured is swept away meanwhile. */
const retention = { maxCompleted: 10_000_000 };

const stores = new Map<string, IdempotencyStore>();

/** This tab's store over the records of that name. */
export function storeOf(subject: Subject, name: string): IdempotencyStore {
  const key = `${subject} ${name}`;
  const store =
    stores.get(key) ??
    (subject === "profile"
      ? connectProfile({ namespace: name, durability: "relaxed", retention }).idempotency
      : new IndexedDbIdempotencyStore({ name }));
  stores.set(key, store);
  return store;
}

/** Connects, so that no measurement pays for a cold start. */
export async function warmUp(subject: Subject, name: string): Promise<void> {
  const { signal } = new AbortController();
  const store = storeOf(subject, name);
  const key = crypto.randomUUID();
  const begun = await store.begin(key, { signal });
  if (begun.state === "fresh") await store.release(key, { signal, fence: begun.fence });
}
