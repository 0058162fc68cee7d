import type { BrowserContext, Page } from "@playwright/test";
import { expect, ready, test } from "./support/test.js";

async function open(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/encrypted.html");
  await ready(page);
  return page;
}

const note = (page: Page, key: string, text: string) =>
  page.evaluate(([k, t]) => window.note(k, t), [key, text] as const);

/** Everything that the profile's database holds, bytes as text. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await settled(indexedDB.open("signett"));
    const transaction = database.transaction(["operations", "journal"]);
    const [operations, entries] = await Promise.all([
      settled(transaction.objectStore("operations").getAll()),
      settled(transaction.objectStore("journal").getAll()),
    ]);
    database.close();
    return JSON.stringify({ operations, entries }, (_, value: unknown) =>
      value instanceof Uint8Array ? new TextDecoder("latin1").decode(value) : value,
    );
  });

test("the encrypted profile of docs/privacy.md stores no output and no entry in the clear, and every tab reads both", async ({
  context,
}) => {
  const [first, second] = [await open(context), await open(context)];
  // Both make a key; the database keeps one.
  const answers = await Promise.all([note(first, "a", "secret-a"), note(second, "b", "secret-b")]);
  expect(answers).toEqual([
    { key: "a", text: "secret-a" },
    { key: "b", text: "secret-b" },
  ]);
  expect(await note(second, "a", "another")).toEqual(answers[0]);
  expect(await note(first, "b", "another")).toEqual(answers[1]);

  note(first, "c", "stays").catch(() => {});
  await expect.poll(() => stored(second)).toContain('"entries":[{');
  expect(await stored(second)).not.toMatch(/secret|stays/);
  await first.close();
  expect(await note(second, "c", "another")).toEqual({ key: "recovered", text: "stays" });

  const later = await open(context);
  expect(await note(later, "a", "another")).toEqual(answers[0]);
});

test("a tab whose key was lost recovers rather than running the handler again", async ({
  context,
}) => {
  const first = await open(context);
  await note(first, "a", "secret");
  await first.close();
  const later = await open(context);
  await later.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase("app-keys");
        request.onsuccess = resolve;
        request.onerror = () => reject(request.error);
      }),
  );
  const code = await later.evaluate(() =>
    window.note("a", "another").catch((error: { code: string }) => error.code),
  );
  // Its entry went when it completed, and its handler has returned: nobody but a person can tell the output.
  expect(code).toBe("outcome_unknown");
  const info = await later.evaluate(() => window.encrypted.operations.get("a"));
  expect(info).toMatchObject({ state: "in_doubt", executed: true });
});
