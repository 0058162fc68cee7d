import { spawnSync } from "node:child_process";

/**
 * Runs the npm that runs us, or else the one on the PATH, its output going to ours. It needs nothing but Node.
 *
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export function npm(args, cwd) {
  const self = process.env.npm_execpath;
  /** @type {import("node:child_process").SpawnSyncOptions} */
  const options = { cwd, stdio: ["ignore", "inherit", "inherit"] };
  return self?.endsWith("npm-cli.js")
    ? spawnSync(process.execPath, [self, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
}
