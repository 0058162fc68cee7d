// Installs the dependencies when they are missing or older than the lock file: the repository's, or those of the folder
// that is named. It runs before anything is installed, so it needs nothing but Node.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { npm } from "./npm.mjs";

const folder = join(fileURLToPath(new URL("..", import.meta.url)), process.argv[2] ?? ".");
const stamp = join(folder, "node_modules", ".signett-lock");

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

function install() {
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (installedLock() === lock) return;

  console.log("Installing dependencies (npm ci)…");
  // NODE_ENV=production would leave out the tools that build and test.
  const { status, signal, error } = npm(["ci", "--include=dev"], folder);
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
