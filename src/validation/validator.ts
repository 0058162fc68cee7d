import type { ValidationIssue } from "../errors.js";

/** Checks one tool's input. An empty list means that it is valid. The input is never changed. */
export type InputCheck = (input: unknown) => readonly ValidationIssue[];
