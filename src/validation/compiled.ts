import { pointer } from "../pointer.js";
import { type Fault, issuesOf } from "./issues.js";
import type { InputCheck } from "./validator.js";

/** What the code that Ajv generates reports: the part that we read. */
interface CompiledError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly propertyName?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A function that Ajv generated. */
interface CompiledSchema {
  (input: unknown): unknown;
  errors?: readonly CompiledError[] | null;
}

/** Keywords that only say that a schema below them failed, which has reported its own faults. */
const PARENTS: ReadonlySet<string> = new Set(["anyOf", "if", "propertyNames"]);

/** The check of a function that Ajv generated. */
export function checkOf(validate: CompiledSchema): InputCheck {
  return (input) => {
    if (validate(input)) return [];
    const errors = validate.errors ?? [];
    // What is reported stays on the function, and would keep the input alive.
    validate.errors = null;
    return issuesOf(errors.filter(isFault).map(faultOf));
  };
}

const isFault = ({ keyword, params }: CompiledError) =>
  !PARENTS.has(keyword) && !(keyword === "oneOf" && params.passingSchemas === null);

function faultOf({ keyword, instancePath, propertyName, params }: CompiledError): Fault {
  const at = propertyName === undefined ? instancePath : pointer(instancePath, propertyName);
  const field = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const path = typeof field === "string" ? pointer(at, field) : at;
  return { path, keyword, wanted: wantedBy(keyword, params) };
}

function wantedBy(keyword: string, params: CompiledError["params"]): unknown {
  if (keyword === "contains") return { min: params.minContains, max: params.maxContains };
  if ("wanted" in params) return params.wanted;
  return params.type ?? params.limit ?? params.pattern ?? params.property;
}
