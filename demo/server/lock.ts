import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "./start-error.js";

/**
 * Marks a data directory as in use by this process, because PGlite lets two processes open, and
 * ruin, the same database. A mark left by a process that is gone is taken over.
 *
 * @returns a function that removes the mark.
 * @throws {StartError} if another process has the directory.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = join(directory, "server.pid");
  if (!(await mark(file))) {
    const owner = (await readFile(file, "utf8")).trim();
    if (isInUse(owner)) {
      throw new StartError(
        `${directory} is in use by process ${owner || "(unknown)"}. Stop that demo, choose another ` +
          `directory with --data, or delete ${file} if no demo is running.`,
      );
    }
    await rm(file, { force: true });
    if (!(await mark(file))) {
      throw new StartError(`${directory} was taken by another demo that is starting. Stop one.`);
    }
  }
  return () => rm(file, { force: true });
}

async function mark(file: string): Promise<boolean> {
  try {
    await writeFile(file, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Unreadable marks count as in use. In a restarted container the old process had this one's id. */
function isInUse(owner: string): boolean {
  if (!/^[1-9]\d*$/.test(owner)) return true;
  if (Number(owner) === process.pid) return false;
  try {
    process.kill(Number(owner), 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
