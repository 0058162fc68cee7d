import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * The esbuild that tsup brings, so that what is measured and inspected is what built the library.
 *
 * @type {typeof import("esbuild")}
 */
export const esbuild = createRequire(fileURLToPath(import.meta.resolve("tsup")))("esbuild");
