import type { ValidationIssue } from "../errors.js";

/** Checks one tool's input. An empty list means that it is valid. The input is never changed. */
export type InputCheck = (input: unknown) => readonly ValidationIssue[];

/**
 * Compiles a schema.
 * @throws {Error} that says what is wrong with the schema, and where.
 */
export type CompileSchema = (schema: object) => InputCheck;
