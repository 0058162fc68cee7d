import { ConnectedProfile, type ProfileSettings } from "../../../client/profile.js";
import { systemClock } from "../../../src/clock.js";
import { type Controls, define } from "../../../src/definition.js";
import type { Observer } from "../../../src/events.js";
import { invoke } from "../../../src/invocation.js";
import { Observers } from "../../../src/observers.js";
import type { Invocation } from "./authority.js";
import type { TestPage } from "./page.js";

/** The parts of a test's tool. It needs no input: each call names its key. */
export interface CallOptions
  extends Partial<Omit<Controls<unknown, undefined, unknown>, "execute" | "idempotency">> {
  readonly execute: (invocation: Invocation) => unknown;
  readonly waitTimeoutMs?: number;
  /** What an equal key must agree on. */
  readonly intent?: unknown;
  /** The caller's. */
  readonly signal?: AbortSignal;
  readonly observe?: Observer;
}

/** What tabs can differ in. */
export type TabSettings = Partial<Pick<ProfileSettings, "worker" | "terms" | "codec">>;

/** A page with the real client and the real runtime. */
export class TestTab {
  readonly page: TestPage;
  readonly profile: ConnectedProfile;

  constructor(page: TestPage, namespace: string, settings: TabSettings = {}) {
    const platform = page.platform();
    const { worker } = page;
    this.page = page;
    this.profile = new ConnectedProfile({
      ...{ namespace, helloTimeoutMs: 5_000, worker, platform },
      ...settings,
    });
  }

  /** Calls a tool with this key. */
  call(
    key: string,
    { execute, waitTimeoutMs = 120_000, intent, signal, observe, ...parts }: CallOptions,
  ): Promise<unknown> {
    const controls: Controls<unknown, undefined, unknown> = {
      name: "cancel_order",
      inputSchema: {},
      ...parts,
      idempotency: {
        key: () => key,
        waitTimeoutMs,
        ...(intent !== undefined && { fingerprint: () => intent }),
      },
      execute: (_, invocation) => execute(invocation),
    };
    const observers = new Observers();
    if (observe) observers.add(observe);
    // Compiling a schema for each call would take most of a test's time, and there is no input to check.
    const definition = {
      ...define(controls, { profile: this.profile }),
      check: async () => () => [],
    };
    const surface = { context: undefined, observers, clock: systemClock };
    return invoke(definition, surface, {}, signal ?? new AbortController().signal);
  }
}
