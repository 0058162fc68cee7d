import { build } from "vite";

/** Builds the pages that only the browser tests open, against the packed library. */
export default async function buildPages(): Promise<void> {
  await build({ configFile: "e2e/pages/vite.config.ts", logLevel: "warn" });
}
