import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { expect, test } from "vitest";
import { failuresOf } from "./lock-failures.js";

interface Package extends LockManager {
  /** How the main thread learns of a worker thread. */
  attach(worker: MessagePort): void;
}

const require = createRequire(import.meta.url);
const script = readFileSync(require.resolve("web-locks"), "utf8");

/** What the script throws in a timer would end the process. */
const later = (task: () => void) =>
  setTimeout(() => {
    try {
      task();
    } catch {}
  });

/** Runs the package's script as one more thread does. */
function thread(parentPort?: MessagePort): Package {
  const module: { exports: { locks?: Package } } = { exports: {} };
  new Function("module", "require", "global", "setTimeout", script)(
    module,
    () => ({ isMainThread: !parentPort, parentPort }),
    globalThis,
    later,
  );
  const { locks } = module.exports;
  if (!locks) throw new Error("web-locks exports no `locks`.");
  return locks;
}

/** A main thread and its worker threads, as the package links them. */
function threads() {
  const ports: MessagePort[] = [];
  let main: Package | undefined;
  return {
    open() {
      if (!main) {
        main = thread();
        return main;
      }
      const { port1, port2 } = new MessageChannel();
      ports.push(port1, port2);
      main.attach(port1);
      return thread(port2);
    },
    close() {
      for (const port of ports) port.close();
    },
  };
}

// The package goes by timers, so that a busy machine must be given time; only the faults use it up.
// The day this list gets shorter, docs/dependencies.md has to be written anew.
test("web-locks can't be trusted with exclusion", async () => {
  expect(await failuresOf(threads, 4_000)).toEqual([
    "gives what the callback gives, or its error",
    "excludes from the first use of a name on",
    "keeps a held lock from clients that come later",
    "serves requests in turn",
    "lets shared requests hold a lock together",
    "gives `null` at once to a request with `ifAvailable` while the lock is held",
    "lets a waiting request leave, with its signal's reason",
    "refuses a request whose signal is aborted already, and keeps no lock for it",
  ]);
}, 120_000);
