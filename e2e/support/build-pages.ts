import { build } from "vite";

/** Builds the pages that only the browser tests open, against the packed library. */
export default async function buildPages(): Promise<void> {
  const config = { configFile: "e2e/pages/vite.config.ts", logLevel: "warn" } as const;
  await build(config);
  await build({ ...config, mode: "react-18" });
}
