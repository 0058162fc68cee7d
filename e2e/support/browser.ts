import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type LaunchOptions } from "@playwright/test";
import { prepareContext, withWebMcp } from "signett/testing/playwright";

/** Flags without which a fresh Chromium asks the network for things of its own. */
const quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update"];

interface BrowserOptions extends LaunchOptions {
  readonly baseURL: string | undefined;
}

/** A profile on disk: in Playwright's usual contexts IndexedDB is in memory only. */
export async function persistentContext(
  use: (context: BrowserContext) => Promise<void>,
  options: BrowserOptions,
): Promise<void> {
  await withProfile(async (folder) => {
    const context = await startBrowser(folder, options);
    await use(context);
    await context.close();
  });
}

/** A folder for a browser's profile, for as long as it is used. */
export async function withProfile(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "signett-e2e-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts Chromium with the profile in this folder. */
export async function startBrowser(
  folder: string,
  { args = [], baseURL, ...options }: BrowserOptions,
): Promise<BrowserContext> {
  const { CHROMIUM_PATH } = process.env;
  const context = await chromium.launchPersistentContext(folder, {
    ...withWebMcp({ ...options, args: [...args, "--no-sandbox", "--disable-sync", ...quiet] }),
    ...(baseURL && { baseURL }),
    ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
  });
  await prepareContext(context);
  return context;
}
