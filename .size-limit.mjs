/**
 * What each import costs a page, minified and compressed with Brotli: with the packages that it brings, without what it
 * loads on demand (the validator, and what runs idempotent calls) and without React or
 * OpenTelemetry. The README quotes these limits.
 */
const budgets = [
  { path: "dist/index.js", import: "{ createSignett }", limit: "6 kB" },
  { path: "dist/client.js", import: "{ connectProfile }", limit: "12.5 kB" },
  { path: "dist/worker.js", limit: "13.6 kB" },
  { path: "dist/react.js", import: "{ useSignettTool }", limit: "1 kB" },
  { path: "dist/react.js", import: "{ useSignettActivity }", limit: "2 kB" },
  { path: "dist/opentelemetry.js", import: "{ createOpenTelemetryObserver }", limit: "1.5 kB" },
];

/** @type {import("esbuild").Plugin} */
const onDemandApart = {
  name: "on-demand-apart",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind }) =>
      kind === "dynamic-import" ? { external: true } : undefined,
    );
  },
};

export default budgets.map((budget) => ({
  name: budget.import ? `import ${budget.import} from "${entry(budget.path)}"` : entry(budget.path),
  ...budget,
  /** @param {import("esbuild").BuildOptions} config */
  modifyEsbuildConfig: (config) => ({ ...config, format: "esm", plugins: [onDemandApart] }),
}));

/** @param {string} path */
function entry(path) {
  const name = path.slice("dist/".length, -".js".length);
  return name === "index" ? "signett" : `signett/${name}`;
}
