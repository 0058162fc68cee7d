import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { startBrowser, withProfile } from "./support/browser.js";
import { effectsIn, operation, send, setUp } from "./support/desk.js";
import { test as base, expect, openLabIn } from "./support/test.js";

interface Fixtures {
  /** Opens a lab page in a browser of its own, which is closed when `use` ends. The profile on the disk stays. */
  readonly inBrowser: (use: (page: Page) => Promise<void>) => Promise<void>;
  /** The folder that Chromium keeps the site's databases in, while no browser runs. */
  readonly store: () => Promise<string>;
}

const test = base.extend<Fixtures & { readonly profile: string }>({
  profile: async ({ baseURL: _ }, use) => withProfile(use),
  inBrowser: async ({ profile, baseURL }, use) => {
    await use(async (visit) => {
      const context = await startBrowser(profile, { baseURL });
      await visit(await setUp(await openLabIn(context)));
      await context.close();
    });
  },
  store: async ({ profile }, use) => {
    await use(async () => {
      const databases = join(profile, "Default", "IndexedDB");
      const [site = ""] = (await readdir(databases)).filter((name) => /^http.*leveldb$/.test(name));
      return join(databases, site);
    });
  },
});

test("a store that can't be opened at all: calls with a key are refused before any effect, others go on; repaired, it has all (C083, dexie/Dexie.js#543; C084, Expensify/App#87862)", async ({
  inBrowser,
  store,
}) => {
  await inBrowser(async (page) => {
    expect(await send(page, "a")).toMatchObject({ output: { key: "a" } });
  });
  // Where files may not be written Chromium fails in the same way; but whoever runs this may be allowed to write all.
  const folder = await store();
  await rename(folder, `${folder}.aside`);
  await writeFile(folder, "no folder");
  await inBrowser(async (page) => {
    for (const key of ["a", "b", "a"]) {
      expect(await send(page, key)).toEqual({
        code: "coordination_unavailable",
        message: expect.stringMatching(/UnknownError.*Nothing was executed.*restart the browser/),
      });
    }
    expect(await effectsIn(page)).toEqual([]);
    const read = await page.evaluate(async () => {
      const { profile } = window.desk;
      const readNote = window.lab.signett.guard(async () => "a note", {
        name: "read_note",
        inputSchema: { type: "object" },
      });
      return [await readNote({}), (await profile.operations.list().catch(String)) ?? ""];
    });
    expect(read).toEqual(["a note", expect.stringContaining("UnknownError")]);
  });
  await rm(folder);
  await rename(`${folder}.aside`, folder);
  await inBrowser(async (page) => {
    expect(await send(page, "a")).toMatchObject({ output: { key: "a" } });
    expect(await effectsIn(page)).toEqual([]);
  });
});

// docs/operations.md says so: only a backend that is idempotent by key helps then.
test("files that are damaged: Chromium puts an empty store in their place, and calls go on with it", async ({
  inBrowser,
  store,
}) => {
  await inBrowser(async (page) => void (await send(page, "a")));
  const folder = await store();
  for (const name of await readdir(folder)) await writeFile(join(folder, name), "damaged");
  await inBrowser(async (page) => {
    expect(await operation(page, "a")).toBeUndefined();
    expect(await send(page, "b")).toMatchObject({ output: { key: "b" } });
    expect(await send(page, "b")).toMatchObject({ output: { key: "b" } });
    expect(await effectsIn(page)).toEqual(["b"]);
  });
});
