import type { SchemaValidator } from "./validator.js";

/**
 * Ajv, draft 2020-12, the default: fast, in a chunk of its own that the first `expose()` loads. It compiles schemas to code, which
 * the page's policy has to allow with `'unsafe-eval'` in `script-src`, and without Trusted Types for scripts.
 */
export const ajvValidator: SchemaValidator = {
  async compile(schema) {
    const { compileWithAjv } = await import("./ajv.js");
    return compileWithAjv(schema);
  },
};

/**
 * Walks the schema for each input (`@cfworker/json-schema`, in a chunk of its own): for pages whose policy forbids code from text.
 * It is slower than Ajv at each call, and smaller. `docs/validation.md` lists where they differ.
 */
export const interpretedValidator: SchemaValidator = {
  async compile(schema) {
    const { interpret } = await import("./interpreted.js");
    return interpret(schema);
  },
};
