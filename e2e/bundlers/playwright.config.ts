import { defineConfig } from "@playwright/test";
import { findChromium } from "../../scripts/chromium.mjs";

process.env.CHROMIUM_PATH ||= await findChromium();

/** Each app is built, served and opened by its own test. The packages are installed by `scripts/bundlers.mjs`. */
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  workers: 1,
  retries: 0,
  timeout: 120_000,
  forbidOnly: Boolean(process.env.CI),
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: ["--no-sandbox"] },
  },
});
