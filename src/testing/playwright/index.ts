/**
 * `signett/testing/playwright`: tests of several tabs in a real browser, for applications that use Signett.
 *
 * Plain functions on Playwright's pages and contexts, and a `test` and an `expect` that save a few lines. It needs
 * `@playwright/test` 1.50 or later. What only Chromium can do throws in other browsers.
 *
 * @module
 */
export { callInAll } from "./call-in-all.js";
export { type CallToolOptions, callTool, cancel } from "./call-tool.js";
export { closeTab, crashTab, freezeTab, thawTab } from "./deaths.js";
export { type TabFixtures, test, withWebMcp } from "./fixture.js";
export { type GoOptions, goAndComeBack } from "./go-and-come-back.js";
export { expect } from "./matchers.js";
export { type OperationsOptions, operations } from "./operations.js";
export type { Via } from "./page-side.js";
export { type QuiescentOptions, quiescent } from "./quiescent.js";
export type { CallEnd, ToolCall, ToolFailure, ToolResult } from "./result.js";
export { eventsOf, ownerOf, untilStage } from "./seen.js";
export { type OpenTabsOptions, openTabs, prepareContext, type Tabs } from "./tabs.js";
export { killWorker, type RunningWorker, wedgeWorker, workers } from "./workers.js";
