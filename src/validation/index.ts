/**
 * `signett/validation`: what checks the input of tools.
 *
 * @module
 */
export type { ValidationIssue } from "../errors.js";
export { checkOf } from "./compiled.js";
export { json } from "./json.js";
export type { InputCheck, SchemaValidator } from "./validator.js";
export { ajvValidator, interpretedValidator } from "./validators.js";
