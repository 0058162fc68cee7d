import type { BrowserContext, CDPSession } from "@playwright/test";
import { anyPage, devTools } from "./chromium.js";
import { WorkerSession } from "./worker-session.js";

/** A SharedWorker that runs. */
export interface RunningWorker {
  /** The name that its maker gave it: `‹namespace›:v‹protocol›` by default. */
  readonly name: string;
  readonly url: string;
}

interface Target {
  readonly targetId: string;
  readonly title: string;
  readonly url: string;
}

/** The SharedWorkers of the context's profile, when at least one of its pages is open. Chromium only. */
export async function workers(context: BrowserContext): Promise<RunningWorker[]> {
  return await withSession(context, "workers", async (session) => {
    const targets = await targetsOf(session);
    return targets.map(({ title, url }) => ({ name: title, url }));
  });
}

/** What lets the workers go on that were made to hang. */
const hanging = new WeakMap<BrowserContext, Set<() => Promise<void>>>();

/**
 * Ends the context's SharedWorkers as the system ends them: without a word to the tabs. Resolves when they are gone. Those that
 * hang go on for a moment before. Chromium only.
 * @throws {Error} when there is none.
 */
export async function killWorker(context: BrowserContext): Promise<void> {
  // Chromium would end one that has stopped for the tabs only: its thread would stay, and hold its locks.
  for (const letGo of hanging.get(context) ?? []) await letGo();
  await withSession(context, "killWorker", async (session) => {
    // Without a line to the worker: Chromium would stop the next one at its start, for the debugger of the last.
    for (const { targetId } of await someTargets(session, "killWorker")) {
      const gone = destroyed(session, targetId);
      await session.send("Target.closeTarget", { targetId });
      await gone;
    }
  });
}

/** Resolves when the target is gone. */
async function destroyed(session: CDPSession, wanted: string): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    session.on("Target.targetDestroyed", ({ targetId }) => {
      if (targetId === wanted) resolve();
    });
  });
  const filter = [{ type: "shared_worker" }];
  await session.send("Target.setDiscoverTargets", { discover: true, filter });
  await gone;
}

/**
 * Makes the context's SharedWorkers hang: they hold their locks and answer nothing. Resolves when they have stopped. Chromium
 * only.
 * @returns What lets them go on.
 * @throws {Error} when there is none.
 */
export async function wedgeWorker(context: BrowserContext): Promise<() => Promise<void>> {
  const session = await devTools(anyPage(context, "wedgeWorker"), "wedgeWorker");
  const wedged: WorkerSession[] = [];
  const letGo = once(async () => {
    hanging.get(context)?.delete(letGo);
    await Promise.all(wedged.map(resume));
    // Nobody waits for it: a page that has crashed does not answer.
    session.detach().catch(() => {});
  });
  hanging.set(context, (hanging.get(context) ?? new Set()).add(letGo));
  try {
    for (const { targetId } of await someTargets(session, "wedgeWorker")) {
      const worker = await WorkerSession.attach(session, targetId);
      await pauseWorker(worker);
      wedged.push(worker);
    }
  } catch (error) {
    await letGo();
    throw error;
  }
  return letGo;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** Resolves when the worker goes on. One that has died with its tab's process does not. */
async function resume(worker: WorkerSession): Promise<void> {
  const resumed = worker.once("Debugger.resumed");
  await Promise.race([worker.send("Debugger.resume").then(() => resumed), worker.gone]);
}

async function pauseWorker(worker: WorkerSession): Promise<void> {
  const paused = worker.once("Debugger.paused");
  await worker.send("Debugger.enable");
  await worker.send("Debugger.pause");
  // It stops at the next statement, so that there must be one.
  await worker.send("Runtime.evaluate", { expression: "0" });
  await Promise.race([paused, worker.gone]);
}

async function withSession<T>(
  context: BrowserContext,
  helper: string,
  work: (session: CDPSession) => Promise<T>,
): Promise<T> {
  const session = await devTools(anyPage(context, helper), helper);
  try {
    return await work(session);
  } finally {
    await session.detach();
  }
}

/** The SharedWorkers of the session's own browser context. */
async function targetsOf(session: CDPSession): Promise<Target[]> {
  const { targetInfo: own } = await session.send("Target.getTargetInfo");
  const { targetInfos } = await session.send("Target.getTargets");
  return targetInfos.filter(
    ({ type, browserContextId }) =>
      type === "shared_worker" && browserContextId === own.browserContextId,
  );
}

async function someTargets(session: CDPSession, helper: string): Promise<Target[]> {
  const targets = await targetsOf(session);
  if (targets.length > 0) return targets;
  throw new Error(
    `${helper}: no SharedWorker runs. It starts with profile.ready() or the first idempotent call.`,
  );
}
