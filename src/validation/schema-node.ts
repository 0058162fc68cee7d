/** One schema among those of a tool. There is one node for each place, also where two places share an object. */
export interface SchemaNode {
  readonly schema: Readonly<Record<string, unknown>> | boolean;
  /** JSON Pointer into the tool's schema. */
  readonly path: string;
  /** What relative references start from. */
  readonly base: string;
  /** The schemas directly below, by keyword. */
  readonly members: ReadonlyMap<string, Members>;
}

/** The schemas that a keyword holds. */
export type Members =
  | { readonly holds: "schema"; readonly node: SchemaNode }
  | { readonly holds: "list"; readonly nodes: readonly SchemaNode[] }
  | { readonly holds: "map"; readonly entries: readonly (readonly [string, SchemaNode])[] };

/** The schemas that a keyword holds, in their order. */
export function nodesOf(members: Members): readonly SchemaNode[] {
  switch (members.holds) {
    case "schema":
      return [members.node];
    case "list":
      return members.nodes;
    case "map":
      return members.entries.map(([, node]) => node);
    default:
      return members satisfies never;
  }
}
