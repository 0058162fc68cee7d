import type { CDPSession } from "@playwright/test";

/** A line to a worker's DevTools, through a page's: Playwright gives none to a SharedWorker. */
export class WorkerSession {
  readonly #session: CDPSession;
  readonly #id: string;
  readonly #waiting = new Map<string, () => void>();
  /** Resolves when the worker is no more: it has ended with its last tab, or died with its process. */
  readonly gone: Promise<void>;
  #messages = 0;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
    session.on("Target.receivedMessageFromTarget", ({ sessionId, message }) => {
      if (sessionId !== id) return;
      const { method }: { method?: string } = JSON.parse(message);
      if (method) this.#waiting.get(method)?.();
    });
    this.gone = Promise.race([
      this.once("Inspector.targetCrashed").then(() => this.#detach()),
      new Promise<void>((resolve) => {
        session.on("Target.detachedFromTarget", ({ sessionId }) => {
          if (sessionId === id) resolve();
        });
      }),
    ]);
  }

  static async attach(session: CDPSession, targetId: string): Promise<WorkerSession> {
    const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
    return new WorkerSession(session, sessionId);
  }

  /** Resolves when the message is on its way. A worker that has stopped answers none. */
  async send(method: string, params: object = {}): Promise<void> {
    this.#messages += 1;
    const message = JSON.stringify({ id: this.#messages, method, params });
    await this.#session.send("Target.sendMessageToTarget", { sessionId: this.#id, message });
  }

  /** Else the debugger would take hold of the next worker of this name too, which would not start. */
  async #detach(): Promise<void> {
    // The page whose line it is may be gone too.
    await this.#session.send("Target.detachFromTarget", { sessionId: this.#id }).catch(() => {});
  }

  /** Resolves with the next event of this name. */
  once(event: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(event, resolve));
  }
}
