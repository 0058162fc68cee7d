import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The demo imports the library as it is packed, so that what runs in it is what users get. */
export const packed = [
  { find: /^signett\/(client|react|stores|testing)$/, replacement: here("dist/$1.js") },
  { find: /^signett$/, replacement: here("dist/index.js") },
];

export default defineConfig({
  root: process.env.VITEST ? "." : "demo",
  resolve: { alias: packed },
  worker: { format: "es" },
  build: { target: "es2022", outDir: here("demo/dist/page"), emptyOutDir: true },
  test: {
    include: ["test/**/*.test.ts"],
    pool: "threads",
    testTimeout: 20_000,
    // Unit tests run the sources, under the names that the seeds and the docs import.
    alias: [
      { find: /^signett\/stores$/, replacement: here("stores/index.ts") },
      { find: /^signett\/(react|testing)$/, replacement: here("src/$1/index.ts") },
      { find: /^signett$/, replacement: here("src/index.ts") },
    ],
  },
});
