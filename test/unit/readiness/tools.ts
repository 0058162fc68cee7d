import type { ReadinessFinding } from "../../../src/readiness/finding.js";
import { checkToolReadiness } from "../../../src/readiness/readiness.js";

/** A tool with nothing to find. */
export const readyTool = {
  name: "search_products",
  description: "Find products matching one query.",
  inputSchema: { type: "object", additionalProperties: false },
  annotations: { readOnlyHint: true },
  execute: () => [],
};

const told = ({ code, path }: ReadinessFinding) => `${code} ${path}`;

/** What is found in a tool, each as its code and path. */
export const found = (tool: Parameters<typeof checkToolReadiness>[0]): string[] =>
  checkToolReadiness(tool).map(told);

/** What is found in an input schema; paths start at the schema. */
export const foundIn = (inputSchema: object): string[] =>
  checkToolReadiness({ ...readyTool, inputSchema }).map((finding) =>
    told({ ...finding, path: finding.path.replace("/inputSchema", "") }),
  );

/** What is found in the schema of one documented argument `a`; paths start at that schema. */
export const foundInArgument = (argument: object | boolean, around: object = {}): string[] => {
  const schema = typeof argument === "boolean" ? argument : { description: "It.", ...argument };
  return foundIn({
    type: "object",
    properties: { a: schema },
    additionalProperties: false,
    ...around,
  }).map((text) => text.replace("/properties/a", ""));
};

/** A closed object with these properties. */
export const closed = (properties: object = {}) => ({
  type: "object",
  properties,
  additionalProperties: false,
});

/** A condition and what follows from it, made in a way that does not look like a promise. */
export function when(test: object, yes: object, no?: object): object {
  const keywords = no ? ["if", "then", "else"] : ["if", "then"];
  const schemas = [test, yes, no];
  return Object.fromEntries(keywords.map((keyword, index) => [keyword, schemas[index]]));
}
