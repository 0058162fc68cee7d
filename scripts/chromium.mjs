import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macChrome = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** The first version whose WebMCP the browser tests can drive. */
const oldestWithWebMcp = 146;

/**
 * Finds the Chromium that runs the browser tests: `CHROMIUM_PATH`, one on the PATH, Chrome on macOS, then
 * Playwright's own. Without any, as root on Debian or Ubuntu, it installs the distribution's.
 *
 * @returns {Promise<string>} Path of the executable.
 */
export async function findChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (isExecutable(chosen)) return chosen;
    throw new Error(`CHROMIUM_PATH is "${chosen}", which is not an executable file.`);
  }
  const found = onPath() ?? [macChrome, await playwrightsOwn()].find(isExecutable);
  if (found) return found;

  if (canInstall()) installOnDebian();
  const installed = onPath();
  if (installed) return installed;
  throw new Error(
    "No Chromium was found. Install Chromium or Chrome (on Debian: sudo apt-get install chromium), " +
      "or set CHROMIUM_PATH to an executable, and try again.",
  );
}

/**
 * Says what is wrong when a browser is too old for WebMCP.
 *
 * @param {string} path
 * @returns {string | undefined}
 */
export function chromiumWarning(path) {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  const major = Number(/(\d+)\.\d+\.\d+/.exec(stdout ?? "")?.[1]);
  if (Number.isNaN(major)) return `${path} does not tell its version; WebMCP may be missing.`;
  if (major >= oldestWithWebMcp) return undefined;
  return `${path} is version ${major}, too old for WebMCP (${oldestWithWebMcp} or newer): browser tests will fail.`;
}

function onPath() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

async function playwrightsOwn() {
  const { chromium } = await import("@playwright/test");
  return chromium.executablePath();
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function canInstall() {
  return existsSync("/etc/debian_version") && process.getuid?.() === 0;
}

function installOnDebian() {
  console.log("No Chromium was found: installing it (apt-get install chromium)…");
  apt("update");
  apt("install", "--yes", "--no-install-recommends", "chromium");
}

/** @param {string[]} args */
function apt(...args) {
  const { status, error, stdout, stderr } = spawnSync("apt-get", args, {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status === 0) return;
  throw new Error(`apt-get ${args.join(" ")} failed.\n${error?.message ?? stdout + stderr}`);
}
