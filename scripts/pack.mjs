import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npm } from "./npm.mjs";
import { root } from "./run.mjs";

/**
 * Packs the library as it was built last, and removes the tarball when `use` has ended.
 *
 * @template T
 * @param {(tarball: string) => Promise<T>} use
 */
export async function withTarball(use) {
  const folder = mkdtempSync(join(tmpdir(), "signett-pack-"));
  try {
    const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
    const { status } = npm(args, root);
    const [tarball] = readdirSync(folder);
    if (status !== 0 || !tarball) throw new Error("npm pack failed.");
    return await use(join(folder, tarball));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Lays the packed library into a `node_modules` folder, as npm would.
 *
 * @param {string} modules
 */
export async function unpackInto(modules) {
  const target = join(modules, "signett");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await withTarball(async (tarball) => {
    const args = ["-xzf", tarball, "-C", target, "--strip-components=1"];
    const { status, error } = spawnSync("tar", args, { stdio: "inherit" });
    if (status !== 0) throw new Error(`tar failed: ${error?.message ?? `exit code ${status}`}`);
  });
}
