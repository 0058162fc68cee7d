import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.mjs";

const port = Number(process.env.E2E_PORT ?? 4317);
process.env.CHROMIUM_PATH ||= await findChromium();

export default defineConfig({
  testDir: "e2e",
  // These have packages, a config and a part of the check of their own.
  testIgnore: "bundlers/**",
  // One database for the whole run: its tables are reset before each test.
  workers: 1,
  retries: 0,
  timeout: 30_000,
  forbidOnly: Boolean(process.env.CI),
  use: {
    baseURL: `http://localhost:${port}`,
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: ["--no-sandbox"] },
  },
  globalSetup: "./e2e/support/build-pages.ts",
  webServer: {
    command: [
      `node demo/dist/server.js --port ${port}`,
      // Kept between runs: a database's first start takes seconds.
      "--data e2e/.data",
      "--pages demo/dist/page --pages e2e/dist",
    ].join(" "),
    url: `http://localhost:${port}/api/health`,
    reuseExistingServer: false,
  },
});
