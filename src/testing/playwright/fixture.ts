import {
  type BrowserContext,
  test as base,
  type LaunchOptions,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from "@playwright/test";
import { thawTab } from "./deaths.js";
import { type OpenTabsOptions, openTabs, type Tabs } from "./tabs.js";

/** What {@link test} adds to Playwright's fixtures. */
export interface TabFixtures {
  /** Opens tabs in the test's `context`: see {@link openTabs}. Default: one. Frozen tabs are thawed when the test ends. */
  readonly openTabs: <Count extends number = 1>(
    url: string,
    count?: Count,
    options?: OpenTabsOptions,
  ) => Promise<Tabs<Count>>;
}

/**
 * Playwright's `test`, with Chromium's WebMCP turned on and a fixture that opens tabs. In a project with a `test` of its own:
 * `mergeTests(yours, test)`.
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TabFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<TabFixtures>({
  launchOptions: [
    async ({ launchOptions, browserName }, use) => {
      await use(browserName === "chromium" ? withWebMcp(launchOptions) : launchOptions);
    },
    { scope: "worker" },
  ],
  openTabs: async ({ context }, use) => {
    await use((url, count, options) => openTabs(context, url, count, options));
    await thawAll(context);
  },
});

/** The same options, with Chromium's WebMCP turned on: for browsers that a test launches itself. */
export function withWebMcp(options: LaunchOptions = {}): LaunchOptions {
  const { args = [] } = options;
  const flag = "--enable-features=";
  // Of several such arguments Chromium heeds only the last.
  const wanted = args.filter((arg) => arg.startsWith(flag)).map((arg) => arg.slice(flag.length));
  const others = args.filter((arg) => !arg.startsWith(flag));
  const features = new Set([...wanted.flatMap((list) => list.split(",")), "WebMCP"]);
  return { ...options, args: [...others, flag + [...features].join(",")] };
}

async function thawAll(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await thawTab(page);
}
