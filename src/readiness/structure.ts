import { Place } from "./place.js";
import { SchemaReader } from "./reader.js";
import { References } from "./references.js";

/** Schemas of which not all need to hold. */
export interface Choice {
  /** One of them always holds, so that together they can bound a value. */
  readonly exhaustive: boolean;
  readonly branches: readonly Place[];
}

/** Where a field or an item is described. */
interface Slot {
  /** Equal for the same field or item, in whichever schema it is described. */
  readonly name: string;
  readonly place: Place;
  /** A named field, which an agent has to fill. */
  readonly isArgument: boolean;
}

const EXTRA_FIELDS: readonly string[] = ["additionalProperties", "unevaluatedProperties"];

const second = <T>([, value]: readonly [unknown, T]): T => value;

/** What the schemas of one tool consist of. */
export class SchemaStructure {
  /** Where references were met that can't be followed. */
  readonly unresolved = new Set<Place>();
  readonly root: Place;
  readonly #reader = new SchemaReader();
  readonly #references = new References(this.#reader);

  constructor(schema: unknown, path: string) {
    this.root = new Place(schema, path);
  }

  /** These schemas with all that hold whenever they do, except for those that are known. */
  together(places: readonly Place[], known: readonly Place[] = []): Place[] {
    const seen = new Set<object>(known.map(({ schema }) => schema));
    const group: Place[] = [];
    const pending = [...places];
    for (const place of pending) {
      this.#reader.step();
      if (seen.has(place.schema)) continue;
      seen.add(place.schema);
      group.push(place);
      for (const [, member] of this.#reader.list(place, "allOf")) pending.push(member);
      for (const keyword of ["$ref", "$dynamicRef"]) {
        const reference = place.schema[keyword];
        if (reference !== undefined) pending.push(this.#follow(place, keyword, reference));
      }
    }
    return group;
  }

  /** What a broken reference means is unknown, so it counts as impossible and nothing more is said about it. */
  #follow(place: Place, keyword: string, reference: unknown): Place {
    const target = this.#references.resolve(place, reference);
    if (target) return target;
    const broken = this.#reader.member(place, keyword, false);
    this.unresolved.add(broken);
    return broken;
  }

  /** `not` and `if` only test a value, and `contains` only asks for an item: they describe nothing to an agent. */
  choicesOf(place: Place): Choice[] {
    const listed = (keyword: string) => Array.from(this.#reader.list(place, keyword), second);
    const choices: Choice[] = [
      { exhaustive: true, branches: listed("anyOf") },
      { exhaustive: true, branches: listed("oneOf") },
    ];
    if (place.schema.if !== undefined) {
      const branches = [...this.#reader.one(place, "then"), ...this.#reader.one(place, "else")];
      choices.push({ exhaustive: branches.length === 2, branches });
    }
    for (const [, dependent] of this.#reader.map(place, "dependentSchemas")) {
      choices.push({ exhaustive: false, branches: [dependent] });
    }
    return choices.filter(({ branches }) => branches.length > 0);
  }

  /** The fields and items that a schema describes. */
  slotsOf(place: Place): Slot[] {
    const slots: Slot[] = [];
    for (const keyword of ["properties", "patternProperties"]) {
      for (const [key, member] of this.#reader.map(place, keyword)) {
        const isArgument = keyword === "properties";
        slots.push({ name: `${keyword}/${key}`, place: member, isArgument });
      }
    }
    for (const [key, member] of this.#reader.list(place, "prefixItems")) {
      slots.push({ name: `prefixItems/${key}`, place: member, isArgument: false });
    }
    for (const keyword of ["items", "unevaluatedItems", ...EXTRA_FIELDS]) {
      // An object that takes any field at all is one fault, not two.
      if (EXTRA_FIELDS.includes(keyword) && place.schema[keyword] === true) continue;
      for (const member of this.#reader.one(place, keyword)) {
        slots.push({ name: keyword, place: member, isArgument: false });
      }
    }
    return slots;
  }

  /** Where the items of an array would be described. */
  itemsOf(array: Place): Place {
    return this.#reader.member(array, "items", undefined);
  }
}
