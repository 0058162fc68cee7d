import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The demo imports the library as it is packed, so that what runs in it is what users get. */
export const packed = [
  {
    find: /^signett\/(client|inspector|opentelemetry|react|stores|testing)$/,
    replacement: here("dist/$1.js"),
  },
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
    coverage: {
      provider: "v8",
      include: ["src/**"],
      exclude: ["src/testing/**", "src/inspector/mount.ts", "src/inspector/panel/**"],
      reporter: [["text", { skipFull: true }]],
      // A negative number is how many branches may stay unreached: those that docs/coverage.md lists, and no others.
      thresholds: {
        branches: -7,
        "src/execution.ts": { branches: -2 },
        "src/output.ts": { branches: -1 },
        "src/recovery.ts": { branches: -1 },
        "src/readiness/kinds.ts": { branches: -1 },
        "src/validation/ajv.ts": { branches: -2 },
      },
    },
    // Unit tests run the sources, under the names that the seeds and the docs import.
    alias: [
      { find: /^signett\/stores$/, replacement: here("stores/index.ts") },
      {
        find: /^signett\/(inspector|opentelemetry|react|testing)$/,
        replacement: here("src/$1/index.ts"),
      },
      { find: /^signett$/, replacement: here("src/index.ts") },
    ],
  },
});
