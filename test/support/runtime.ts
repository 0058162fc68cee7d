import {
  type AbandonOptions,
  type BeginOptions,
  type Begun,
  ClaimLostError,
  type ClaimOptions,
  IdempotencyConflictError,
  type IdempotencyStore,
  type JournalOptions,
  type ModelContext,
  type ModelContextTool,
  type OperationJournal,
  type StartOptions,
} from "../../src/index.js";

/** A WebMCP host that does what browsers do with a tool, as far as tools can see it. */
export class TestHost implements ModelContext {
  readonly tools = new Map<string, ModelContextTool>();
  readonly exposedTo = new Map<string, readonly string[] | undefined>();
  /** What registering waits for, or fails with. */
  onRegister: () => Promise<void> | void = () => {};

  async registerTool(
    tool: ModelContextTool,
    { signal, exposedTo }: { signal?: AbortSignal; exposedTo?: string[] } = {},
  ): Promise<void> {
    if (this.tools.has(tool.name)) throw new DOMException("Duplicate name", "InvalidStateError");
    await this.onRegister();
    signal?.throwIfAborted();
    this.tools.set(tool.name, tool);
    this.exposedTo.set(tool.name, exposedTo);
    signal?.addEventListener("abort", () => this.tools.delete(tool.name));
  }

  /** Calls a tool as an agent does: its input is JSON, and some hosts pass no options. */
  async invoke(name: string, input: unknown, options?: { signal: AbortSignal }): Promise<unknown> {
    const tool = this.tools.get(name);
    if (!tool) throw new DOMException(`No tool ${name}`, "NotFoundError");
    return tool.execute(JSON.parse(JSON.stringify(input)), options);
  }
}

/** What the store knows of a key. */
export type TestRecord = { readonly tool?: string } & (
  | { readonly state: "claimed"; readonly fence: number; readonly started: boolean }
  | {
      readonly state: "in_doubt";
      readonly executed?: boolean;
      readonly journalKey?: string | null;
    }
  | { readonly state: "completed"; readonly value: unknown }
);

type StoreMethod = keyof IdempotencyStore;
type JournalMethod = "read" | "write" | "remove";

/** One call, as the runtime made it. */
export interface Recorded<Method, Options> {
  readonly method: Method;
  readonly key: string;
  readonly options: Options;
}

/** Everything that a call's options can hold. */
export type AnyOptions = Partial<BeginOptions & StartOptions & AbandonOptions>;

/** A store in memory, with all that the contract allows a store to have. */
export class TestStore implements IdempotencyStore {
  readonly records = new Map<string, TestRecord>();
  readonly calls: Recorded<StoreMethod, AnyOptions>[] = [];
  /** Run when the method is entered: they can fail it, or make it wait. */
  readonly before: Partial<Record<StoreMethod, () => unknown>> = {};
  /** Aborted by a test that takes the tab for dead. */
  readonly lost = new AbortController();
  readonly #wake = new Set<() => void>();
  #fence = 0;

  /** @param joined The journal that shares this store's transactions, as a profile's does. */
  constructor(
    private readonly trace: string[],
    private readonly joined?: TestJournal,
  ) {}

  async begin(key: string, options: BeginOptions): Promise<Begun> {
    await this.#enter("begin", key, options);
    let waiting = false;
    for (;;) {
      options.signal.throwIfAborted();
      const record = this.records.get(key);
      if (record?.tool && record.tool !== options.tool) throw new IdempotencyConflictError("tool");
      if (record?.state === "completed") return { state: "completed", value: record.value };
      if (record?.state !== "claimed") return this.#claim(key, options, record);
      if (!waiting) options.onWait?.();
      waiting = true;
      await this.#settlement(options.signal);
    }
  }

  async start(key: string, options: StartOptions): Promise<void> {
    await this.#enter("start", key, options);
    const { fence } = this.#owned(key, options);
    if (options.fresh) this.joined?.entries.delete(key);
    this.records.set(key, { state: "claimed", fence, started: true });
  }

  async complete(key: string, value: unknown, options: ClaimOptions): Promise<void> {
    await this.#enter("complete", key, options);
    this.#settle(key, options, { state: "completed", value });
  }

  async release(key: string, options: ClaimOptions): Promise<void> {
    await this.#enter("release", key, options);
    this.#settle(key, options, undefined);
  }

  async abandon(key: string, options: AbandonOptions): Promise<void> {
    await this.#enter("abandon", key, options);
    this.#settle(key, options, { state: "in_doubt", executed: options.executed ?? false });
  }

  /** What the runtime said in its last call of the method. */
  said(method: StoreMethod): AnyOptions | undefined {
    return this.calls.filter((call) => call.method === method).at(-1)?.options;
  }

  async #enter(method: StoreMethod, key: string, options: AnyOptions): Promise<void> {
    this.trace.push(method);
    this.calls.push({ method, key, options });
    await this.before[method]?.();
  }

  #claim(key: string, { reserve = false }: BeginOptions, doubt?: TestRecord): Begun {
    this.#fence += 1;
    const owned = { fence: this.#fence, lost: this.lost.signal };
    this.records.set(key, { state: "claimed", fence: owned.fence, started: !reserve });
    if (doubt?.state !== "in_doubt") {
      this.joined?.entries.delete(key);
      return { state: "fresh", ...owned };
    }
    const { executed, journalKey } = doubt;
    return { state: "in_flight", executed, journalKey, ...owned };
  }

  #owned(key: string, { fence }: ClaimOptions) {
    const record = this.records.get(key);
    if (record?.state === "claimed" && record.fence === fence) return record;
    throw new ClaimLostError(record?.state === "completed" ? { value: record.value } : undefined);
  }

  #settle(key: string, options: ClaimOptions, next: TestRecord | undefined): void {
    this.#owned(key, options);
    if (next) this.records.set(key, next);
    else this.records.delete(key);
    if (next?.state !== "in_doubt") this.joined?.entries.delete(key);
    for (const wake of this.#wake) wake();
    this.#wake.clear();
  }

  #settlement(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake.add(resolve);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }
}

/** A journal in memory. */
export class TestJournal implements OperationJournal {
  readonly entries = new Map<string, unknown>();
  readonly calls: Recorded<JournalMethod, JournalOptions>[] = [];
  /** Run when the method is entered: they can fail it, or make it wait. */
  readonly before: Partial<Record<JournalMethod, () => unknown>> = {};

  constructor(
    private readonly trace: string[],
    readonly scope: "tab" | "profile",
  ) {}

  async read(key: string, options: JournalOptions): Promise<unknown> {
    await this.#enter("read", key, options);
    return this.entries.get(key);
  }

  async write(key: string, entry: unknown, options: JournalOptions): Promise<void> {
    await this.#enter("write", key, options);
    this.entries.set(key, entry);
  }

  async remove(key: string, options: JournalOptions): Promise<void> {
    await this.#enter("remove", key, options);
    this.entries.delete(key);
  }

  async #enter(method: JournalMethod, key: string, options: JournalOptions): Promise<void> {
    this.trace.push(`journal.${method}`);
    this.calls.push({ method, key, options });
    await this.before[method]?.();
  }
}
