import type { Clock } from "../src/clock.js";
import { type Connection, greet } from "./connection.js";
import { notCoordinating, silent } from "./failures.js";
import { type Line, NotStarted, Silent } from "./line.js";
import type { Platform } from "./platform.js";
import { sharedWorkerLine } from "./shared-worker.js";

/** Who coordinates this tab. */
export interface CoordinationOptions {
  readonly worker: () => SharedWorker;
  readonly namespace: string;
  readonly helloTimeoutMs: number;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly sharedWorker: Platform["sharedWorker"];
  readonly startInPage: Platform["startInPage"];
}

/**
 * Finds a coordinator for this tab: the SharedWorker, or one in the page where the worker can't start. Whoever has
 * coordinated in the page goes on to: another choice in the middle would only cost time, and never be more correct.
 */
export class Coordination {
  readonly #options: CoordinationOptions;
  #inPage = false;

  constructor(options: CoordinationOptions) {
    this.#options = options;
  }

  /** @throws {CoordinationUnavailableError} if there is none. */
  async connect(): Promise<Connection> {
    if (this.#inPage) return this.#connectInPage();
    const { worker, sharedWorker } = this.#options;
    try {
      if (!sharedWorker) throw new NotStarted("this page has no SharedWorker");
      return await greet(sharedWorkerLine(worker), this.#options);
    } catch (error) {
      if (error instanceof Silent) throw silent(this.#options.helloTimeoutMs);
      if (error instanceof NotStarted) return this.#replace(error);
      throw error;
    }
  }

  /** Coordinates in this page from now on, and says once why. */
  async #replace(cause: NotStarted): Promise<Connection> {
    const connection = await this.#connectInPage().catch((error: unknown) => {
      throw notCoordinating(cause, error);
    });
    this.#inPage = true;
    console.warn(
      `Signett: ${cause.message}. This tab coordinates its calls itself, which takes longer; equal keys of all tabs still ` +
        "have one effect. Reload the page; if that does not help, serve the script of signett/worker from this origin as " +
        "JavaScript, say where it is with connectProfile({ worker }), and allow it in the page's policy (worker-src).",
    );
    return connection;
  }

  async #connectInPage(): Promise<Connection> {
    return greet(await this.#inPageLine(), this.#options);
  }

  async #inPageLine(): Promise<Line> {
    const { newId, startInPage } = this.#options;
    const { port, close } = await startInPage(newId());
    return {
      port,
      failed: new Promise(() => {}),
      inPage: true,
      close() {
        port.close();
        close();
      },
    };
  }
}
