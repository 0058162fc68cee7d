import { applicators } from "./keywords.js";
import type { ReadSchema } from "./read-schema.js";
import { SchemaFault } from "./schema-fault.js";
import { nodesOf, type SchemaNode } from "./schema-node.js";

/** Every schema of a tool, outermost first. */
export function allNodes(root: SchemaNode): readonly SchemaNode[] {
  const nodes = [root];
  for (const { members } of nodes) {
    for (const held of members.values()) for (const node of nodesOf(held)) nodes.push(node);
  }
  return nodes;
}

/** The schemas that judge the same value as this one does. */
function inPlaceOf(node: SchemaNode, references: ReadSchema["references"]): SchemaNode[] {
  const below: SchemaNode[] = [];
  for (const [keyword, held] of node.members) {
    if (applicators[keyword]?.inPlace) below.push(...nodesOf(held));
  }
  for (const keyword of ["$ref", "$dynamicRef"] as const) {
    const target = references.follow(node, keyword);
    if (target) below.push(target);
  }
  return below;
}

/**
 * Refuses schemas that would judge one value by themselves again and again.
 * @throws {SchemaFault} that names one of them, also for a reference that leads nowhere.
 */
export function checkEnds({ root, references }: ReadSchema): void {
  const edges = new Map(allNodes(root).map((node) => [node, inPlaceOf(node, references)]));
  const entering = new Map<SchemaNode, number>();
  for (const node of [...edges.values()].flat()) entering.set(node, (entering.get(node) ?? 0) + 1);
  const free = [...edges.keys()].filter((node) => !entering.has(node));
  for (const node of free) {
    edges.get(node)?.forEach((target) => {
      const left = (entering.get(target) ?? 0) - 1;
      entering.set(target, left);
      if (left === 0) free.push(target);
    });
    edges.delete(node);
  }
  const [circular] = edges.keys();
  if (circular) throw new SchemaFault(circular.path, "refers to itself for the same value");
}
