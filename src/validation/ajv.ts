import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { ValidationIssue } from "../errors.js";
import { pointer } from "../pointer.js";
import type { InputCheck } from "./validator.js";

/** More issues than this help nobody, and hostile input can have any number. */
const MAX_ISSUES = 100;

/**
 * Compiles a draft 2020-12 schema with Ajv. Each schema has an instance of its own, so that nothing is left behind when
 * its tool is disposed. `format` is an annotation, as the draft has it, and no option that changes the input is on.
 */
export function compileWithAjv(schema: object): InputCheck {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateFormats: false,
    messages: true,
    logger: false,
  });
  const validate = ajv.compile(schema);
  return (input) => {
    if (validate(input)) return [];
    const issues = (validate.errors ?? []).map(issueOf);
    // What is missing comes first in the message, so it must not be what is cut off.
    const missing = issues.filter(({ keyword }) => keyword === "required");
    const others = issues.filter(({ keyword }) => keyword !== "required");
    return [...missing, ...others].slice(0, MAX_ISSUES);
  };
}

function issueOf({ instancePath, keyword, message, params }: ErrorObject): ValidationIssue {
  const property: unknown =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const path = typeof property === "string" ? pointer(instancePath, property) : instancePath;
  return { path, keyword, message: message ?? "is not valid" };
}
