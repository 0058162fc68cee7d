// Installs the dependencies when they are missing or older than the lock file. It runs before anything
// is installed, so it needs nothing but Node.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.signett-lock`;

/** @param {string} message */
function fail(message) {
  console.error(`\n${message}`);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(
    `Signett needs Node 20.19 or newer, and this is ${process.version}. Install one from https://nodejs.org and try again.`,
  );
}

/** Hash of the lock file that was installed last, or `undefined`. */
function installedLock() {
  try {
    return readFileSync(stamp, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** Runs `npm ci` with the npm that runs us, or else with the one on the PATH. */
function npmCi() {
  // NODE_ENV=production would leave out the tools that build and test.
  const args = ["ci", "--include=dev"];
  const self = process.env.npm_execpath;
  /** @type {import("node:child_process").SpawnSyncOptions} */
  const options = { cwd: root, stdio: ["ignore", "inherit", "inherit"] };
  return self?.endsWith("npm-cli.js")
    ? spawnSync(process.execPath, [self, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
}

function install() {
  const lock = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex");
  if (installedLock() === lock) return;

  console.log("Installing dependencies (npm ci)…");
  const { status, signal, error } = npmCi();
  if (error) fail(`npm could not be started: ${error.message}. Is npm installed beside Node?`);
  if (status !== 0) {
    fail(
      `npm ci failed (${signal ?? `exit code ${status}`}); npm's own message is above. Dependencies are not installed: check the network and try again.`,
    );
  }
  writeFileSync(stamp, `${lock}\n`);
}

checkNode();
install();
