import { type Controls, type Definition, define } from "../../src/definition.js";
import { ToolError } from "../../src/index.js";
import { invoke } from "../../src/invocation.js";
import { Observers } from "../../src/observers.js";
import type { VirtualPage } from "../../src/testing/profile/page.js";
import type { Operation, Recovery } from "../../src/tool.js";
import type { Claims } from "./claims.js";
import type { Ledger, Receipt } from "./ledger.js";
import { OwnJournal } from "./own-journal.js";
import type { CallStep } from "./plan.js";

/** How a call ended. */
export type End = { readonly value: unknown } | { readonly error: unknown };

/** A call that was made. One whose page has ended has no end. */
export interface Call {
  readonly step: CallStep;
  readonly page: VirtualPage;
  readonly caller: AbortController;
  /** The fences of its claims. */
  readonly fences: Set<number>;
  /** The step in which it began. */
  begun: number;
  /** The answer of its key that had expired by then. */
  expired: Receipt["receipt"] | undefined;
  /** The step in which it was told to wait. */
  waited: number | undefined;
  /** It was given a stored output. */
  replayed: boolean;
  /** How many faults there had been when it was made. */
  readonly faults: number;
  end: End | undefined;
}

/** What calls need of their world. */
export interface ApplicationOptions {
  readonly ledger: Ledger;
  readonly claims: Claims;
  /** The page's locks were taken while it is in the cache. */
  readonly bereft: (page: VirtualPage) => boolean;
  /** Told that a completed output was given to a call. */
  readonly replayed: (call: Call) => void;
}

/** An application with one tool, whose hooks behave as each call says. */
export class Application {
  readonly #options: ApplicationOptions;
  readonly #ownJournals = new WeakMap<VirtualPage, OwnJournal>();

  constructor(options: ApplicationOptions) {
    this.#options = options;
  }

  /** Makes a call, through the runtime of production. */
  async call(call: Call): Promise<unknown> {
    const { clock } = call.page.surroundings;
    const observers = new Observers(clock);
    observers.add(({ stage }) => {
      if (stage !== "replayed") return;
      call.replayed = true;
      this.#options.replayed(call);
    });
    const surface = { context: undefined, observers, clock };
    return await invoke(this.#definition(call), surface, {}, call.caller.signal);
  }

  #definition(call: Call): Definition<unknown, undefined, unknown> {
    const { page, step } = call;
    const controls = new Behaviour(this.#options, page, step).controls();
    const own = step.journal === "own" && { journal: { store: this.#ownJournalOf(page) } };
    const definition = define({ ...controls, ...own }, { profile: page.profile });
    const { coordination } = definition;
    if (!coordination) throw new TypeError("The tool is not idempotent.");
    const store = this.#options.claims.storeOf(call);
    return {
      ...definition,
      coordination: { ...coordination, store },
      // The schema is no part of the protocol.
      check: async () => () => [],
    };
  }

  #ownJournalOf(page: VirtualPage): OwnJournal {
    const journal = this.#ownJournals.get(page) ?? new OwnJournal(page);
    this.#ownJournals.set(page, journal);
    return journal;
  }
}

type Invocation = { readonly operation: Operation | undefined };

class Behaviour {
  constructor(
    readonly world: ApplicationOptions,
    readonly page: VirtualPage,
    readonly step: CallStep,
  ) {}

  controls(): Controls<unknown, undefined, unknown> {
    const { key, patienceMs, confirm, verify, recover } = this.step;
    return {
      name: "cancel_order",
      inputSchema: {},
      idempotency: { key: () => key, waitTimeoutMs: patienceMs },
      execute: (_, invocation) =>
        this.#owning(invocation, "execute", (fence, operation) => this.#execute(fence, operation)),
      ...(recover !== "absent" && {
        recover: (invocation: Invocation) =>
          this.#owning(invocation, "recover", (fence, operation) =>
            this.#recover(fence, operation),
          ),
      }),
      ...(verify !== "unasked" && { verify: () => this.#answer(verify === "yes") }),
      ...(confirm !== "unasked" && {
        confirm: { mode: "effect-only", request: () => this.#answer(confirm === "yes") },
      }),
    };
  }

  async #execute(fence: number, operation: Operation): Promise<unknown> {
    const { handler, handlerMs } = this.step;
    await this.#turns();
    if (handler === "throws first") throw new Error("first");
    if (handler === "returns without a trace") return this.world.ledger.apply(this.step, fence);
    const written = operation.write({ fence });
    if (handler === "throws when done, in haste") {
      written.catch(() => {});
      this.world.ledger.apply(this.step, fence);
      throw new Error("done");
    }
    await written;
    await this.#turns();
    if (handlerMs > 0) await this.#sleep(handlerMs);
    if (handler === "throws when written") throw new Error("written");
    if (handler === "is refused") {
      await operation.remove();
      throw new ToolError({ code: "refused", message: "The order was shipped.", retry: "never" });
    }
    const receipt = this.world.ledger.apply(this.step, fence);
    await this.#turns();
    if (handler === "throws when done") throw new Error("done");
    return handler === "returns no data" ? () => {} : receipt;
  }

  async #recover(fence: number, operation: Operation): Promise<Recovery<Receipt>> {
    const { recover, key, journal, handlerMs } = this.step;
    await this.#turns();
    if (handlerMs > 0) await this.#sleep(handlerMs);
    if (recover === "throws") throw new Error("recover");
    if (recover === "unknown") return { recovered: false, outcome: "unknown" };
    const claim = this.world.claims.get(fence);
    const byKey = recover === "asks by key";
    const entry = byKey ? undefined : await operation.read<{ fence: number }>();
    if (!entry && !byKey) {
      if (claim) claim.proven = "no entry";
      return { recovered: false };
    }
    // An entry in the tab's own journal may be that of an attempt before another tab's.
    const output =
      entry && journal === "shared"
        ? this.world.ledger.ask(key, entry.fence)
        : this.world.ledger.askByKey(key, fence);
    await this.#turns();
    if (output) return { recovered: true, output };
    if (claim) claim.proven = "not applied";
    return { recovered: false, outcome: "not_applied" };
  }

  /** Runs a hook that only the key's owner may run. */
  async #owning<T>(
    { operation }: Invocation,
    hook: "execute" | "recover",
    run: (fence: number, operation: Operation) => Promise<T>,
  ): Promise<T> {
    if (operation?.fence === undefined) throw new TypeError("The claim has no fence.");
    const { fence } = operation;
    const { page, world } = this;
    const claim = world.claims.get(fence);
    const leave = world.ledger.enter({
      key: this.step.key,
      alive() {
        // Nobody waits for the recovery of a caller who has left: its claim is given up while the hook still runs.
        if (hook === "recover" && claim?.givenUp) return false;
        return page.alive && claim?.lost?.aborted !== true && !world.bereft(page);
      },
    });
    try {
      return await run(fence, operation);
    } finally {
      leave();
    }
  }

  async #answer(answer: boolean): Promise<boolean> {
    await this.#turns();
    return answer;
  }

  async #turns(): Promise<void> {
    for (let turn = 0; turn < this.step.turns; turn++) {
      await new Promise<void>((resolve) => this.page.run(resolve, "a hook goes on"));
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.page.surroundings.clock.after(ms, resolve));
  }
}
