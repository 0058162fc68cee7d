import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { signettValidation } from "../../src/validation/vite.js";
import { samplesOf } from "../../test/support/samples.js";
import { packed, react18 } from "../../vite.config.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Serves the documents' samples as modules, so that what readers copy is what runs. */
function samples(): Plugin {
  const prefix = "virtual:sample/";
  return {
    name: "samples",
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}.ts` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const name = id.slice(prefix.length + 1, -".ts".length);
      return ["README.md", "docs/privacy.md"]
        .flatMap((file) => samplesOf(here(`../../${file}`)))
        .find((sample) => sample.name === name)?.code;
    },
  };
}

/** Every page of this folder. */
const pages = readdirSync(here("."))
  .filter((name) => name.endsWith(".html"))
  .map(here);

/** Pages that only the browser tests open; in the mode `react-18`, those with React once more, in a folder of their own. */
export default defineConfig(({ mode }) => {
  const other = mode === "react-18";
  return {
    root: here("."),
    base: other ? "/react-18/" : "/",
    resolve: { alias: other ? [...packed, ...react18] : packed },
    plugins: [samples(), signettValidation()],
    // StrictMode mounts twice in React's development build only.
    define: { "process.env.NODE_ENV": '"development"' },
    worker: { format: "es" },
    build: {
      target: "es2022",
      outDir: here(other ? "../dist/react-18" : "../dist"),
      emptyOutDir: true,
      rollupOptions: { input: other ? ["react.html", "activity.html"].map(here) : pages },
    },
  };
});
