import { checkOf, type InputCheck, json } from "../../src/validation/index.js";
import { precompile } from "../../src/validation/precompile.js";

const IMPORTS = 'import { checkOf, json } from "signett/validation";\n';
const EXPORT = /export default ([^;]+);(.*)$/s;

/** Runs the module that a schema is precompiled to, as a bundler links it. */
export function runPrecompiled(code: string): InputCheck {
  const [, value, rest] = EXPORT.exec(code) ?? [];
  if (!code.startsWith(IMPORTS) || value === undefined) throw new Error(`Not expected:\n${code}`);
  return new Function("checkOf", "json", `"use strict";${rest}return ${value};`)(checkOf, json);
}

export const precompiled = (schema: object): InputCheck => runPrecompiled(precompile(schema));
