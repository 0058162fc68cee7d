import type { Observer } from "signett";
import {
  createTestProfile,
  type TestProfile,
  type TestProfileOptions,
  type TestTab,
} from "signett/testing";

/** An application with one tool whose effect is a receipt, in the tabs of a test profile. */
export class Shop {
  readonly profile: TestProfile;
  /** The keys of all effects, in their order. */
  readonly effects: string[] = [];
  /** Before its effect each handler waits for this. */
  beforeEffect: () => Promise<void> = async () => {};
  /** After its effect each handler waits for this. */
  afterEffect: () => Promise<void> = async () => {};

  constructor(options?: TestProfileOptions) {
    this.profile = createTestProfile(options);
  }

  /** A tab in which the application is loaded. */
  async open(index: number, observe: Observer = () => {}): Promise<TestTab> {
    const tab = this.profile.tab(index);
    await tab.signett({ observe }).expose({
      name: "cancel_order",
      description: "Cancel one order.",
      inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      idempotency: { key: ({ input }) => input.id, waitTimeoutMs: 60_000 },
      execute: async ({ id }: { id: string }, { operation }) => {
        await operation?.write({ id });
        await this.beforeEffect();
        this.effects.push(id);
        await this.afterEffect();
        return { receipt: this.effects.length };
      },
      recover: async ({ input, operation }) => {
        if (!(await operation?.read())) return { recovered: false };
        const index = this.effects.indexOf(input.id);
        return index < 0
          ? { recovered: false, outcome: "not_applied" }
          : { recovered: true, output: { receipt: index + 1 } };
      },
    });
    return tab;
  }
}

/** A handler that stops, and a test that learns when it has. */
export function stop(): {
  readonly here: () => Promise<void>;
  readonly reached: Promise<void>;
  readonly goOn: () => void;
} {
  let reach = () => {};
  let goOn = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const gone = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const here = () => {
    reach();
    return gone;
  };
  return { here, reached, goOn: () => goOn() };
}
