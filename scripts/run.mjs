import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

/** The repository's directory. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** @type {NodeJS.Signals[]} */
const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs a Node script of the repository to its end, its output going to ours.
 *
 * @param {string} script Path from the repository's directory.
 * @param {readonly string[]} [args]
 * @param {Readonly<Record<string, string>>} [env] Added to our own environment.
 * @returns {Promise<number>} The exit code; 128 + n when signal n ended it.
 */
export function run(script, args = [], env = {}) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => child.kill(signal);
  for (const signal of forwarded) process.on(signal, forward);

  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      for (const name of forwarded) process.off(name, forward);
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

/**
 * Like {@link run}, but a failure ends this process with the same exit code: the script has said why.
 *
 * @param {string} script
 * @param {readonly string[]} [args]
 */
export async function runOrExit(script, args) {
  const code = await run(script, args);
  if (code !== 0) process.exit(code);
}

/**
 * Ends this process, as a SIGTERM does, once the shell is gone through which npm started it: npm passes a
 * signal to that shell only, and the shell ends without passing it on.
 */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 500);
  watch.unref();
}

/** Entry points of the tools that have no JavaScript interface. */
export const tools = {
  attw: "node_modules/@arethetypeswrong/cli/dist/index.js",
  biome: "node_modules/@biomejs/biome/bin/biome",
  knip: "node_modules/knip/bin/knip.js",
  playwright: "node_modules/@playwright/test/cli.js",
  publint: "node_modules/publint/src/cli.js",
  sizeLimit: "node_modules/size-limit/bin.js",
  tsc: "node_modules/typescript/bin/tsc",
  vite: "node_modules/vite/bin/vite.js",
  vitest: "node_modules/vitest/vitest.mjs",
};
