import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { packed } from "../../vite.config.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The page that is measured, against the packed library. */
export default defineConfig({
  root: here("."),
  resolve: { alias: packed },
  worker: { format: "es" },
  build: { target: "es2022", outDir: here("../dist/page"), emptyOutDir: true },
});
