import type { BrowserContext, Page } from "@playwright/test";
import type { IdempotencyStore, OperationJournal } from "signett";
import { expect, ready, test } from "./support/test.js";

/** A tab of the space under test: a frame of the lab page, which has a client, locks and a connection of its own. */
interface FrameTab {
  readonly store: IdempotencyStore;
  readonly journal: OperationJournal;
}

declare global {
  interface Window {
    /** Makes spaces of frames; removing a frame is the crash of its tab. */
    framesOf(kind: "profile" | "per-tab"): {
      open(): Promise<FrameTab>;
      crash(tab: FrameTab): void;
      close(): void;
    };
  }
}

/** The demo's policy forbids frames; this page needs them. */
async function openFrames(context: BrowserContext): Promise<Page> {
  await context.route("**/lab.html", async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), "content-security-policy": "frame-src 'self'" };
    await route.fulfill({ response, headers });
  });
  const page = await context.newPage();
  await page.goto("/lab.html");
  await ready(page);
  await page.evaluate(() => {
    window.framesOf = (kind) => {
      const space = `conformance ${crypto.randomUUID()}`;
      const frames = new Map<FrameTab, HTMLIFrameElement>();
      return {
        async open() {
          const frame = document.createElement("iframe");
          const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
          frame.src = "/lab.html";
          document.body.append(frame);
          await loaded;
          const { lab } = frame.contentWindow as Window;
          const { IndexedDbIdempotencyStore, IndexedDbOperationJournal } = lab.stores;
          const { idempotency: store, journal } =
            kind === "profile"
              ? lab.client.connectProfile({ namespace: space })
              : {
                  idempotency: new IndexedDbIdempotencyStore({ name: space }),
                  journal: new IndexedDbOperationJournal({ name: space }),
                };
          const tab = { store, journal };
          frames.set(tab, frame);
          return tab;
        },
        crash: (tab) => frames.get(tab)?.remove(),
        close: () => frames.forEach((frame) => void frame.remove()),
      };
    };
  });
  return page;
}

for (const kind of ["profile", "per-tab"] as const) {
  test(`the ${kind} store and journal keep their contracts in a real browser (C132, dumbmatter/fakeIndexedDB#88)`, async ({
    context,
  }) => {
    test.setTimeout(90_000);
    const page = await openFrames(context);
    const reports = await page.evaluate(async (tested) => {
      const { checkIdempotencyStore, checkOperationJournal } = window.lab.testing;
      // Longer than the regular look at a waiting key's record.
      const timeoutMs = 6_000;
      const store = await checkIdempotencyStore(
        () => {
          const space = window.framesOf(tested);
          const tabs = new Map<IdempotencyStore, FrameTab>();
          return {
            async open() {
              const tab = await space.open();
              tabs.set(tab.store, tab);
              return tab.store;
            },
            async crash(crashed) {
              const tab = tabs.get(crashed);
              if (tab) space.crash(tab);
            },
            close: async () => space.close(),
          };
        },
        { timeoutMs },
      );
      const journal = await checkOperationJournal(
        () => {
          const space = window.framesOf(tested);
          return {
            open: () => space.open(),
            crash: async (tab: FrameTab) => space.crash(tab),
            close: async () => space.close(),
          };
        },
        { timeoutMs },
      );
      return { store, journal };
    }, kind);
    expect(reports.store.skipped).toEqual([]);
    expect(reports.journal.skipped).toEqual([]);
    expect(reports.store.passed.length).toBeGreaterThan(30);
    expect(reports.journal.passed.length).toBeGreaterThan(7);
  });
}
