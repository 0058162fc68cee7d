import { finding, type ReadinessCode, type ReadinessFinding } from "./finding.js";
import {
  admits,
  bounds,
  concerns,
  declares,
  isDescribed,
  isFixed,
  isImpossible,
  isSilent,
  type Kind,
  kinds,
} from "./kinds.js";
import type { Place, Schema } from "./place.js";
import { type Choice, SchemaStructure } from "./structure.js";

/**
 * One location of the input, with the schemas that hold for it together. Those of a branch, as in `anyOf`, hold
 * together with those around it, which were judged before.
 */
interface Location {
  readonly around: readonly Place[];
  readonly added: readonly Place[];
  /** What the schemas around leave to this branch to bound. */
  readonly entrusted: ReadonlySet<Kind>;
  readonly isArgument: boolean;
}

const NONE: ReadonlySet<Kind> = new Set();

const codes: Readonly<Record<Kind, ReadinessCode>> = {
  object: "open_object",
  array: "unbounded_array",
  elements: "open_object",
  string: "unbounded_string",
};

/** Everything that a schema leaves open, unbounded or undocumented, outermost first. `path` is where the schema is. */
export function checkSchema(schema: unknown, path: string): readonly ReadinessFinding[] {
  const check = new SchemaCheck(new SchemaStructure(schema, path));
  check.run();
  return check.findings;
}

class SchemaCheck {
  readonly findings: ReadinessFinding[] = [];
  readonly #structure: SchemaStructure;
  readonly #pending: Location[] = [];
  readonly #entered = new Set<string>();
  readonly #ids = new Map<Schema, number>();
  readonly #reported = new Map<Place, Set<ReadinessCode>>();

  constructor(structure: SchemaStructure) {
    this.#structure = structure;
  }

  run(): void {
    const { root, unresolved } = this.#structure;
    this.#pending.push({ around: [], added: [root], entrusted: NONE, isArgument: false });
    // A queue that grows while it is read, not recursion: schemas can be deeper than the stack.
    for (const location of this.#pending) this.#visit(location);
    for (const place of unresolved) this.#report("unresolved_reference", place);
  }

  #visit(location: Location): void {
    const around = this.#structure.together(location.around);
    const added = this.#structure.together(location.added, around);
    const group = [...around, ...added];
    const [first] = added;
    if (!first || group.some(isImpossible)) return;
    if (location.isArgument && around.length === 0 && !group.some(isDescribed)) {
      this.#report("undocumented_argument", first);
    }
    if (group.some(isFixed)) return;

    const choices = added.flatMap((place) => this.#structure.choicesOf(place));
    const left = new Map<Choice, Set<Kind>>(choices.map((choice) => [choice, new Set()]));
    for (const kind of kinds) {
      if (!concerns(group, kind) || bounds(group, kind)) continue;
      const wasJudged = concerns(around, kind) && !bounds(around, kind);
      if (wasJudged && !location.entrusted.has(kind)) continue;
      const heir = choices.find((choice) => this.#isLeftTo(choice, group, kind));
      if (heir) left.get(heir)?.add(kind);
      else this.#reportOpen(kind, added.find((place) => declares(place, kind)) ?? first);
    }

    if (!this.#enter(location)) return;
    this.#queueMembers(around, added);
    for (const [{ branches }, entrusted] of left) {
      for (const branch of branches) {
        this.#pending.push({ around: group, added: [branch], entrusted, isArgument: false });
      }
    }
  }

  /** Whether its branches answer for such values: they do where one of them bounds or excludes them. */
  #isLeftTo({ exhaustive, branches }: Choice, group: readonly Place[], kind: Kind): boolean {
    if (!exhaustive) return false;
    if (isSilent(group, kind)) return true;
    return branches.some((branch) => {
      const own = this.#structure.together([branch]);
      if (own.some(isFixed) || bounds(own, kind)) return true;
      if (!own.every((place) => admits(place, kind))) return true;
      return own.some((place) => this.#structure.choicesOf(place).length > 0);
    });
  }

  /** Queues the fields and items that are new here, each with everything that is said about it. */
  #queueMembers(around: readonly Place[], added: readonly Place[]): void {
    const members = new Map<string, { around: Place[]; added: Place[]; isArgument: boolean }>();
    for (const { name, place, isArgument } of added.flatMap((at) => this.#structure.slotsOf(at))) {
      const known = members.get(name);
      if (known) known.added.push(place);
      else members.set(name, { around: [], added: [place], isArgument });
    }
    if (members.size === 0) return;
    for (const { name, place } of around.flatMap((at) => this.#structure.slotsOf(at))) {
      members.get(name)?.around.push(place);
    }
    for (const member of members.values()) this.#pending.push({ ...member, entrusted: NONE });
  }

  /** Whether these schemas meet here for the first time: what lies below them need not be looked at twice. */
  #enter({ around, added, entrusted }: Location): boolean {
    const ids = (places: readonly Place[]) => places.map(({ schema }) => this.#idOf(schema));
    const key = `${ids(around)}|${ids(added)}|${[...entrusted]}`;
    if (this.#entered.has(key)) return false;
    this.#entered.add(key);
    return true;
  }

  #idOf(schema: Schema): number {
    const id = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, id);
    return id;
  }

  #reportOpen(kind: Kind, place: Place): void {
    this.#report(codes[kind], kind === "elements" ? this.#structure.itemsOf(place) : place);
  }

  /** Many ways can lead to one fault. */
  #report(code: ReadinessCode, place: Place): void {
    const known = this.#reported.get(place);
    if (known?.has(code)) return;
    if (known) known.add(code);
    else this.#reported.set(place, new Set([code]));
    this.findings.push(finding(code, place.path));
  }
}
