import { Ajv2020, type CodeOptions } from "ajv/dist/2020.js";
import { replaceKeywords } from "./ajv-keywords.js";
import { checkOf } from "./compiled.js";
import { prepareSchema } from "./prepare.js";
import type { InputCheck } from "./validator.js";

/** Compiles a draft 2020-12 schema with Ajv, to a function that the page's policy must allow. */
export function compileWithAjv(schema: object): InputCheck {
  return checkOf(createAjv().compile(prepareSchema(schema)));
}

/**
 * Ajv for schemas that were prepared, and for one of them only, so that nothing is left behind when its tool is disposed. No
 * option that changes the input is on, and neither is `$data`.
 */
export function createAjv(code: CodeOptions = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    // A field such as `toString` is there only if the input has it.
    ownProperties: true,
    validateFormats: false,
    // The schema was checked by `prepareSchema`, in the same way for every validator.
    validateSchema: false,
    meta: false,
    messages: false,
    logger: false,
    code,
  });
  replaceKeywords(ajv);
  return ajv;
}
