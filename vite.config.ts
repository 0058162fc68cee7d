import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { signettValidation } from "./src/validation/vite.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The demo imports the library as it is packed, so that what runs in it is what users get. */
export const packed = [
  {
    find: /^signett\/(client|inspector|opentelemetry|react|stores|testing|validation)$/,
    replacement: here("dist/$1.js"),
  },
  { find: /^signett\/validation\/vite$/, replacement: here("dist/validation-vite.js") },
  { find: /^signett$/, replacement: here("dist/index.js") },
];

/** For tests and pages that run in React 18 too. */
export const react18 = [
  { find: /^(react|react-dom)(?=$|\/)/, replacement: here("test/react-18/node_modules/$1") },
];

export default defineConfig({
  root: process.env.VITEST ? "." : "demo",
  resolve: { alias: packed },
  plugins: [signettValidation()],
  worker: { format: "es" },
  build: {
    target: "es2022",
    outDir: here("demo/dist/page"),
    emptyOutDir: true,
    // The demo's policy allows images from its own server only.
    assetsInlineLimit: 0,
  },
  test: {
    projects: [
      {
        extends: true,
        test: { name: "all", include: ["test/**/*.test.ts"], env: { REACT: "19" } },
      },
      {
        extends: true,
        test: {
          name: "React 18",
          include: ["test/unit/react/**/*.test.ts"],
          env: { REACT: "18" },
          alias: react18,
        },
      },
    ],
    pool: "threads",
    testTimeout: 20_000,
    coverage: {
      provider: "v8",
      include: ["src/**"],
      exclude: ["src/testing/**", "src/inspector/mount.ts", "src/inspector/panel/**"],
      reporter: [["text", { skipFull: true }]],
      // A negative number is how many branches may stay unreached: those that docs/coverage.md lists, and no others.
      thresholds: {
        branches: -11,
        "src/execution.ts": { branches: -2 },
        "src/output.ts": { branches: -1 },
        "src/recovery.ts": { branches: -1 },
        "src/readiness/kinds.ts": { branches: -1 },
        "src/validation/ajv-keywords.ts": { branches: -1 },
        "src/validation/compiled.ts": { branches: -1 },
        "src/validation/endless.ts": { branches: -1 },
        "src/validation/prepare.ts": { branches: -1 },
        "src/validation/read-schema.ts": { branches: -1 },
        "src/validation/schema-node.ts": { branches: -1 },
      },
    },
    // Unit tests run the sources, under the names that the seeds and the docs import.
    alias: [
      { find: /^signett\/stores$/, replacement: here("stores/index.ts") },
      {
        find: /^signett\/(inspector|opentelemetry|react|testing|validation)$/,
        replacement: here("src/$1/index.ts"),
      },
      { find: /^signett\/validation\/vite$/, replacement: here("src/validation/vite.ts") },
      { find: /^signett$/, replacement: here("src/index.ts") },
    ],
  },
});
