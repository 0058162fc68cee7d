import type { Clock } from "../src/clock.js";
import { namesOf } from "../worker/names.js";
import type { Terms } from "../worker/protocol.js";
import { type Connection, greet } from "./connection.js";
import { ConnectionLost, notCoordinating } from "./failures.js";
import { type Line, NotStarted, Silent } from "./line.js";
import type { Platform } from "./platform.js";
import { sharedWorkerLine } from "./shared-worker.js";

/** Who coordinates this tab. */
export interface CoordinationOptions {
  readonly worker: (name: string) => SharedWorker;
  readonly namespace: string;
  readonly terms: Terms;
  readonly helloTimeoutMs: number;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly sharedWorker: Platform["sharedWorker"];
  readonly startInPage: Platform["startInPage"];
}

/** How many workers are tried that don't answer, each with a name of its own, before this tab coordinates itself. */
const GENERATIONS = 3;

/**
 * Finds a coordinator for this tab: the SharedWorker; one of the next name, where a worker hangs; or one in the page, where
 * no worker can run. Tabs agree on none of this: whoever coordinates, records and locks decide. A tab goes on with what it
 * has found, because another choice would only cost time.
 */
export class Coordination {
  readonly #options: CoordinationOptions;
  #generation = 1;
  /** Why this tab coordinates itself. */
  #cause: Error | undefined;

  constructor(options: CoordinationOptions) {
    this.#options = options;
  }

  /** @throws {CoordinationUnavailableError} if there is none, {ConnectionLost} if the signal aborts first. */
  async connect(signal: AbortSignal): Promise<Connection> {
    if (this.#cause) return this.#connectInPage(this.#cause, signal);
    let failure: Error = new Silent("the coordination worker answers no more");
    while (this.#generation <= GENERATIONS) {
      try {
        return await this.#connectToWorker(signal);
      } catch (error) {
        if (error instanceof NotStarted) return this.#replace(error, signal);
        if (!(error instanceof Silent)) throw error;
        failure = error;
        this.skip();
      }
    }
    return this.#replace(failure, signal);
  }

  /** The present worker hangs: the next connection is to one of the next name. */
  skip(): void {
    this.#generation += 1;
  }

  async #connectToWorker(signal: AbortSignal): Promise<Connection> {
    const { namespace, worker, sharedWorker } = this.#options;
    if (!sharedWorker) throw new NotStarted("this page has no SharedWorker");
    const name = namesOf(namespace).worker(this.#generation);
    const line = sharedWorkerLine(() => worker(name));
    return greet(line, { ...this.#options, signal });
  }

  /** Coordinates in this page from now on, and says once why. */
  async #replace(cause: Error, signal: AbortSignal): Promise<Connection> {
    const connection = await this.#connectInPage(cause, signal);
    this.#cause = cause;
    console.warn(
      `Signett: ${cause.message}. This tab coordinates its calls itself, which takes longer; equal keys of all tabs still ` +
        "have one effect. Reload the page; if that does not help, serve the script of signett/worker from this origin as " +
        "JavaScript, say where it is with connectProfile({ worker }), and allow it in the page's policy (worker-src).",
    );
    return connection;
  }

  async #connectInPage(cause: Error, signal: AbortSignal): Promise<Connection> {
    try {
      return await greet(await this.#inPageLine(), { ...this.#options, signal });
    } catch (error) {
      throw error instanceof ConnectionLost ? error : notCoordinating(cause, error);
    }
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
