import type { ConnectedProfile } from "../../../client/profile.js";
import { createSignettAt, type Signett, type SignettOptions } from "../../signett.js";
import {
  createWebMcpTestHarness,
  type DiscoveredTool,
  type InvokeOptions,
  type WebMcpTestHarness,
} from "../harness.js";
import type { VirtualBrowser } from "./browser.js";
import { VirtualPage } from "./page.js";
import type { Pump } from "./pump.js";
import type { VirtualWorkers } from "./worker.js";

const NAMESPACE = "signett";

interface TabOptions {
  readonly browser: VirtualBrowser;
  readonly workers: VirtualWorkers;
  readonly pump: Pump;
  readonly index: number;
  readonly script: string;
}

/** What is in a tab until it is reloaded. */
interface Visit {
  readonly page: VirtualPage;
  readonly harness: WebMcpTestHarness;
  /** Rejects when the page ends. */
  readonly ended: Promise<never>;
  readonly end: (how: string) => void;
}

/** One tab of a test profile. */
export class TestTab {
  readonly #options: TabOptions;
  #visits = 0;
  #visit: Visit;

  constructor(options: TabOptions) {
    this.#options = options;
    this.#visit = this.#open();
  }

  /** This tab's part in the profile, as `connectProfile()` gives it in a browser. `signett()` uses it by itself. */
  get profile(): Pick<
    ConnectedProfile,
    "idempotency" | "journal" | "activity" | "operations" | "mode" | "ready"
  > {
    return this.#visit.page.profile;
  }

  /** `createSignett()` in this tab: on its clock, with its WebMCP host, and with the profile unless you name another. */
  signett<Context = undefined>(
    options: Omit<SignettOptions<Context>, "modelContext"> = {},
  ): Signett<Context> {
    const { page, harness } = this.#visit;
    const signett = createSignettAt(page.surroundings.clock, {
      profile: page.profile,
      ...options,
      modelContext: harness.modelContext,
    });
    return {
      ...signett,
      // Compiling a schema takes real time: whatever happens meanwhile has happened when a test goes on.
      expose: async (tool, options) => {
        const registration = await signett.expose(tool, options);
        await this.#options.pump.quiescent();
        return registration;
      },
    };
  }

  /** The tools that an agent would find in this tab now. */
  tools(): DiscoveredTool[] {
    return this.#visit.harness.tools();
  }

  /**
   * An agent calls a tool of this tab. The call waits while the tab is frozen, and rejects when the tab ends before it.
   * @param input Default: an object without fields.
   */
  invoke(name: string, input?: unknown, { signal }: InvokeOptions = {}): Promise<unknown> {
    const { page, harness, ended } = this.#visit;
    const caller = new AbortController();
    const leave = () => page.run(() => caller.abort(signal?.reason), "the caller leaves");
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted) leave();
    const called = new Promise((resolve, reject) => {
      page.run(() => {
        harness.invoke(name, input, { signal: caller.signal }).then(resolve, reject);
      }, `call of ${name}`);
    });
    return Promise.race([called, ended]).finally(() => signal?.removeEventListener("abort", leave));
  }

  /** Ends the tab without a word. Nothing that its handlers still do reaches the profile. */
  crash(): void {
    this.#visit.end("has crashed");
  }

  /** Ends what is in the tab, as a navigation does, and opens it anew, without any tools. Opens a crashed tab too. */
  reload(): void {
    this.#visit.end("was reloaded");
    this.#visit = this.#open();
  }

  /** Its scripts stand still, as in a tab that the browser or a debugger has stopped. It is alive, and keeps its keys. */
  freeze(): void {
    this.#visit.page.freeze();
  }

  /** Its scripts go on, with all that has come meanwhile. */
  thaw(): void {
    this.#visit.page.thaw();
  }

  #open(): Visit {
    const { browser, workers, index, script } = this.#options;
    this.#visits += 1;
    const name = `tab ${index}${this.#visits > 1 ? `, visit ${this.#visits}` : ""}`;
    const page = new VirtualPage(browser, { name, namespace: NAMESPACE, script, workers });
    let end: (how: string) => void = () => {};
    const ended = new Promise<never>((_, reject) => {
      end = (how) => {
        page.end();
        reject(new DOMException(`Tab ${index} ${how}.`, "AbortError"));
      };
    });
    // A tab can end without open calls.
    ended.catch(() => {});
    return { page, harness: createWebMcpTestHarness(), ended, end };
  }
}
