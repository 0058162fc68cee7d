import type { CDPSession, Page } from "@playwright/test";
import { expect } from "./test.js";

/** What is alive in a SharedWorker after a collection. */
export interface Alive {
  readonly bytes: number;
  /** How many objects there are of each class that a call makes. */
  readonly objects: Readonly<Record<string, number>>;
}

/** What a call leaves behind, if it leaves anything, is or holds one of these. */
const CLASSES = [
  "MessagePort",
  "AbortController",
  "BroadcastChannel",
  "IDBDatabase",
  "IDBTransaction",
  "Promise",
  "Map",
  "Set",
];

interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result: unknown;
}

/** A line to the DevTools of a SharedWorker, through a page's: Playwright gives none, and messages are wrapped by hand. */
export class WorkerTools {
  readonly #page: CDPSession;
  readonly #session: string;
  readonly #unanswered = new Map<number, (answer: Answer) => void>();
  #last = 0;

  private constructor(page: CDPSession, session: string) {
    this.#page = page;
    this.#session = session;
    page.on("Target.receivedMessageFromTarget", ({ sessionId, message }) => {
      if (sessionId !== session) return;
      const answer: Answer = JSON.parse(message);
      this.#unanswered.get(answer.id ?? 0)?.(answer);
    });
  }

  /** The only SharedWorker that the page's profile has. */
  static async of(page: Page): Promise<WorkerTools> {
    const session = await page.context().newCDPSession(page);
    const { targetInfos } = await session.send("Target.getTargets", {
      filter: [{ type: "shared_worker" }],
    });
    expect(targetInfos).toHaveLength(1);
    const { targetId = "" } = targetInfos[0] ?? {};
    const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
    return new WorkerTools(session, sessionId);
  }

  /** Collects garbage, and counts what stays. */
  async alive(): Promise<Alive> {
    // What finalizers let go of in the first is gone after the second.
    for (let time = 0; time < 2; time++) await this.#send("HeapProfiler.collectGarbage");
    const { usedSize } = await this.#send<{ usedSize: number }>("Runtime.getHeapUsage");
    const objects: Record<string, number> = {};
    for (const name of CLASSES) objects[name] = await this.#count(name);
    return { bytes: usedSize, objects };
  }

  async #count(name: string): Promise<number> {
    const group = { objectGroup: "count" };
    const prototype = await this.#send<{ result: { objectId: string } }>("Runtime.evaluate", {
      expression: `${name}.prototype`,
      ...group,
    });
    const found = await this.#send<{ objects: { objectId: string } }>("Runtime.queryObjects", {
      prototypeObjectId: prototype.result.objectId,
      ...group,
    });
    const { result } = await this.#send<{ result: { value: number } }>("Runtime.callFunctionOn", {
      objectId: found.objects.objectId,
      functionDeclaration: "function () { return this.length; }",
      returnByValue: true,
    });
    await this.#send("Runtime.releaseObjectGroup", group);
    return result.value;
  }

  #send<Result = unknown>(method: string, params: object = {}): Promise<Result> {
    const id = ++this.#last;
    const message = JSON.stringify({ id, method, params });
    return new Promise((resolve, reject) => {
      this.#unanswered.set(id, ({ error, result }) => {
        this.#unanswered.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result as Result);
      });
      this.#page
        .send("Target.sendMessageToTarget", { sessionId: this.#session, message })
        .catch(reject);
    });
  }
}

/** The ports of a page after a collection, and how many listeners they have. */
export async function portsOf(page: Page): Promise<{ ports: number; listeners: number }> {
  const session = await page.context().newCDPSession(page);
  for (let time = 0; time < 2; time++) await session.send("HeapProfiler.collectGarbage");
  const prototype = await session.send("Runtime.evaluate", {
    expression: "MessagePort.prototype",
  });
  const { objects } = await session.send("Runtime.queryObjects", {
    prototypeObjectId: prototype.result.objectId ?? "",
  });
  const { result } = await session.send("Runtime.getProperties", {
    objectId: objects.objectId ?? "",
    ownProperties: true,
  });
  const ports = result.flatMap(({ name, value }) =>
    /^\d+$/.test(name) && value?.objectId ? [value.objectId] : [],
  );
  let listeners = 0;
  for (const objectId of ports) {
    listeners += (await session.send("DOMDebugger.getEventListeners", { objectId })).listeners
      .length;
  }
  await session.detach();
  return { ports: ports.length, listeners };
}
