import { pointer } from "../pointer.js";
import { SchemaFault } from "./schema-fault.js";
import type { SchemaNode } from "./schema-node.js";

/** The URI of a schema without `$id`. Nobody can fetch it. */
export const NAMELESS = "signett:/schema";
const ANCHOR = /^[A-Za-z_][-A-Za-z0-9._]*$/;

/** Where the references of one tool's schema lead. Nothing outside of it is looked up. */
export class References {
  /** By resource, and JSON Pointer or anchor in it. */
  readonly #targets = new Map<string, SchemaNode>();
  readonly #dynamic = new Set<string>();
  /** The `$dynamicAnchor`s of more than one schema. */
  readonly #ambiguous = new Set<string>();

  /** The URI of a schema with an `$id`. */
  resource($id: unknown, base: string, path: string): string {
    const url = typeof $id === "string" ? resolved($id, base) : undefined;
    const [uri = "", fragment = ""] = url?.split("#") ?? [];
    if (!url || fragment !== "") {
      throw new SchemaFault(pointer(path, "$id"), "must be a URI without a fragment");
    }
    if (this.#targets.has(`${uri}#`)) {
      throw new SchemaFault(pointer(path, "$id"), "belongs to another schema too");
    }
    return uri;
  }

  /** Makes a schema known by its JSON Pointer from its resource. */
  add(node: SchemaNode, at: string): void {
    this.#targets.set(`${node.base}#${at}`, node);
  }

  /** Makes a schema known by its anchor. */
  anchor(node: SchemaNode, keyword: "$anchor" | "$dynamicAnchor", name: unknown): void {
    if (name === undefined) return;
    const path = pointer(node.path, keyword);
    if (typeof name !== "string" || !ANCHOR.test(name)) throw new SchemaFault(path, "is no name");
    const target = `${node.base}#${name}`;
    if ((this.#targets.get(target) ?? node) !== node) {
      throw new SchemaFault(path, "belongs to another schema too");
    }
    this.#targets.set(target, node);
    if (keyword !== "$dynamicAnchor") return;
    if (this.#dynamic.has(name)) this.#ambiguous.add(name);
    this.#dynamic.add(name);
  }

  /**
   * The schema that a node's reference means, or `undefined` where it has none.
   * @throws {SchemaFault} if it leads nowhere, out of the tool's schema, or to more than one.
   */
  follow(
    { schema, base, path }: SchemaNode,
    keyword: "$ref" | "$dynamicRef",
  ): SchemaNode | undefined {
    const reference = typeof schema === "object" ? schema[keyword] : undefined;
    if (typeof reference !== "string") return undefined;
    const at = pointer(path, keyword);
    const [uri, encoded = ""] = resolved(reference, base)?.split("#") ?? [];
    const fragment = decoded(encoded);
    const target = this.#targets.get(`${uri}#${fragment}`);
    if (!target) throw new SchemaFault(at, "leads to no schema inside of this one");
    if (keyword === "$dynamicRef" && this.#ambiguous.has(fragment)) {
      throw new SchemaFault(at, "can mean more than one schema: use `$ref`");
    }
    return target;
  }
}

function resolved(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

/** Text with a broken escape leads nowhere as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
