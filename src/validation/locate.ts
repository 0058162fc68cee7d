import { isRecord } from "../readiness/data.js";
import { applicators } from "./keywords.js";
import type { PreparedSchema } from "./prepare.js";

/** Where in a prepared schema a keyword stands. */
export interface KeywordPlace {
  /** The schema that has the keyword. */
  readonly holder: PreparedSchema;
  /** It judges the items of a `contains`, of which not every one has to match. */
  readonly inContains: boolean;
}

/** Follows the path on which the interpreter came to a keyword, through references too. */
export function locate(schema: PreparedSchema, location: string): KeywordPlace {
  let holder = schema;
  /** The list or map of which the next token names a member. */
  let members: unknown;
  let inContains = false;
  for (const token of location.split("/").slice(1, -1).map(decoded)) {
    if (members !== undefined) {
      holder = schemaOf(member(members, token));
      members = undefined;
    } else if (token === "$ref") {
      holder = schemaOf(referred(schema, String(holder.$ref)));
    } else if (applicators[token]?.holds === "schema") {
      inContains ||= token === "contains";
      holder = schemaOf(holder[token]);
    } else {
      members = holder[token];
    }
  }
  return { holder, inContains };
}

const decoded = (token: string) =>
  decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");

const referred = (schema: PreparedSchema, reference: string): unknown =>
  reference === "#" ? schema : member(schema.$defs, reference.slice("#/$defs/".length));

const member = (held: unknown, key: string): unknown => Reflect.get(Object(held), key);

const schemaOf = (value: unknown): PreparedSchema => (isRecord(value) ? value : {});
