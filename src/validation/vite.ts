/// <reference types="node" />
/**
 * `signett/validation/vite`: compiles schemas when the application is built, so that pages need not allow code from text.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { precompile } from "./precompile.js";

export { precompile };

/** What the plugin needs of Vite, or of Rollup. */
interface PluginContext {
  resolve(
    source: string,
    importer: string | undefined,
    options: { readonly skipSelf: true },
  ): Promise<{ readonly id: string } | null>;
  addWatchFile(file: string): void;
  error(message: string): never;
}

/** What it needs of Vite's development server. */
interface ServingContext {
  readonly environment: { readonly moduleGraph: { getModuleById(id: string): unknown } };
}

/** A file that was changed, and the modules that Vite knows to be made of it. */
interface Update<Module> {
  readonly file: string;
  readonly modules: Module[];
}

/** The plugin, for Vite 6 and newer, and for Rollup. */
export interface ValidationPlugin {
  readonly name: string;
  readonly enforce: "pre";
  resolveId(
    this: PluginContext,
    source: string,
    importer: string | undefined,
  ): Promise<string | undefined>;
  load(this: PluginContext, id: string): Promise<string | undefined>;
  hotUpdate(this: ServingContext, update: Update<unknown>): unknown[] | undefined;
}

const QUERY = "?validator";
/** The id may not end in `.json`: bundlers would read the module as data. */
const PREFIX = "\0signett-validator:";
const SUFFIX = ".js";

const idOf = (file: string) => PREFIX + file + SUFFIX;

/**
 * Gives `import validate from "./cancel-order.schema.json?validator"`, for a tool's `validate`: the file's JSON Schema, compiled
 * (see {@link precompile}). A schema that does not compile fails the build, and is named. For the type of such imports add
 * `"signett/validation/modules"` to `types` in `tsconfig.json`.
 */
export function signettValidation(): ValidationPlugin {
  return {
    name: "signett-validation",
    enforce: "pre",
    async resolveId(source, importer) {
      if (!source.endsWith(QUERY)) return undefined;
      const file = source.slice(0, -QUERY.length);
      const found = await this.resolve(file, importer, { skipSelf: true });
      if (!found) this.error(`${file} was not found.`);
      return idOf(found.id);
    },
    async load(id) {
      if (!id.startsWith(PREFIX)) return undefined;
      const file = id.slice(PREFIX.length, -SUFFIX.length);
      this.addWatchFile(file);
      try {
        return precompile(JSON.parse(await readFile(file, "utf8")));
      } catch (error) {
        this.error(`${file}: ${error}`);
      }
    },
    hotUpdate({ file, modules }) {
      const compiled = this.environment.moduleGraph.getModuleById(idOf(file));
      return compiled ? [...modules, compiled] : undefined;
    },
  };
}
