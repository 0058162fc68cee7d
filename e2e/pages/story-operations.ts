import type { OperationInfo, ProfileOperations } from "signett";

const minutes = 60_000;
const tabOf = { B: "5f1e0c9a-77b2-4d0f", C: "c30b9d42-1e6a-4f8e" };

/** What the profile of the story has stored, by when it last changed, in milliseconds before now. */
const stored: readonly (Omit<OperationInfo, "createdAt" | "updatedAt"> & {
  readonly took: number;
})[] = [
  {
    ...{ key: "acct-demo:op-0d11:A-1002:cancel_order", tool: "cancel_order", state: "in_doubt" },
    ...{ fence: 412, executed: true, ageMs: 94 * minutes, took: 1_900, waiters: 0, attempts: 3 },
  },
  {
    ...{ key: "acct-demo:op-71c2:A-1001:cancel_order", tool: "cancel_order", state: "completed" },
    ...{ fence: 417, executed: true, ageMs: 31 * minutes, took: 2_010, waiters: 0, attempts: 0 },
  },
  {
    ...{ key: "acct-demo:op-9f04:A-1007:cancel_order", tool: "cancel_order", state: "completed" },
    ...{ fence: 419, executed: true, ageMs: 12 * minutes, took: 3_200, waiters: 0, attempts: 0 },
  },
  {
    ...{ key: "acct-demo:op-b25e:A-1012:cancel_order", tool: "cancel_order", state: "claimed" },
    ...{ phase: "reserved", owner: { id: tabOf.B, alive: true }, takeover: false },
    ...{ fence: 421, executed: false, ageMs: 2_060, took: 0, waiters: 1, attempts: 0 },
  },
  {
    ...{ key: "acct-demo:op-c7aa:A-1015:cancel_order", tool: "cancel_order", state: "claimed" },
    ...{ phase: "started", owner: { id: tabOf.C, alive: false }, takeover: true },
    ...{ fence: 420, executed: false, ageMs: 48_000, took: 0, waiters: 0, attempts: 1 },
  },
];

/** The operations of the story. They can be looked at, and nothing is done to them. */
export const storyOperations: ProfileOperations = {
  async list({ state, prefix = "" } = {}) {
    const now = Date.now();
    const operations = stored
      .filter((one) => (state === undefined || one.state === state) && one.key.startsWith(prefix))
      .map(({ took, ...info }) => ({
        ...info,
        createdAt: now - info.ageMs - took,
        updatedAt: now - info.ageMs,
      }));
    return { operations };
  },
  async get(key) {
    const { operations } = await this.list({ prefix: key });
    return operations[0];
  },
  subscribe: () => () => {},
  async resolve() {},
  purge: async () => ({ purged: 0, live: [] }),
};
