import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { createAjv } from "./ajv.js";
import { prepareSchema } from "./prepare.js";

/**
 * Compiles a draft 2020-12 schema to the text of an ES module, whose default export is a tool's `validate`. It imports
 * `signett/validation` and nothing else, and a page that forbids code from text runs it.
 * @throws {TypeError} whose message says what is wrong with the schema, and where.
 */
export function precompile(schema: object): string {
  const ajv = createAjv({ source: true, esm: true });
  return moduleOf(ajv, ajv.compile(prepareSchema(schema)));
}

/** The module of a schema that Ajv has compiled with its source. */
export function moduleOf(ajv: Ajv2020, compiled: ValidateFunction): string {
  const code = standaloneCode(ajv, compiled)
    // Modules are strict anyway, and bundlers warn.
    .replace('"use strict";', "")
    .replace(/export const validate = (\w+);\s*export default \1;/, "export default checkOf($1);")
    // In a literal, this name would set the prototype.
    .replaceAll('"__proto__":', '["__proto__"]:');
  return `import { checkOf, json } from "signett/validation";\n${code}\n`;
}
