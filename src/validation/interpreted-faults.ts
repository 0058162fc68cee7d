import type { OutputUnit } from "@cfworker/json-schema";
import { pointer } from "../pointer.js";
import type { Containing, Fault } from "./issues.js";
import { applicators } from "./keywords.js";
import { type KeywordPlace, locate } from "./locate.js";
import { CLOSING, type PreparedSchema } from "./prepare.js";

/** Translates what the interpreter finds in inputs of one schema: parents and children, in one list. */
export function interpretedFaults(
  schema: PreparedSchema,
): (findings: readonly OutputUnit[]) => readonly Fault[] {
  const places = new Map<string, KeywordPlace>();
  const placeOf = (location: string): KeywordPlace => {
    const place = places.get(location) ?? locate(schema, location);
    places.set(location, place);
    return place;
  };
  return (findings) => {
    const translation = new Translation(placeOf);
    return findings.flatMap((finding, index) => translation.faultsOf(finding, findings[index + 1]));
  };
}

class Translation {
  readonly #placeOf: (location: string) => KeywordPlace;
  /** A `oneOf` that more than one alternative matches: what the others miss does not matter. */
  #ambiguous: OutputUnit | undefined;

  constructor(placeOf: (location: string) => KeywordPlace) {
    this.#placeOf = placeOf;
  }

  faultsOf(finding: OutputUnit, next: OutputUnit | undefined): Fault[] {
    const { keyword, keywordLocation, instanceLocation, error } = finding;
    // The keyword that holds `false` was reported before, and `false` has no place of its own.
    if (keyword === "false" || this.#isBelowAmbiguous(finding)) return [];
    const { holder, inContains } = this.#placeOf(keywordLocation);
    if (inContains) return [];
    const path = pathOf(instanceLocation);
    if (CLOSING.has(keyword)) {
      return holder[keyword] === false ? [{ path: closedPath(keyword, path, next), keyword }] : [];
    }
    if (keyword === "oneOf") {
      if (error.includes("(0 matches)")) return [];
      this.#ambiguous = finding;
      return [{ path, keyword }];
    }
    if (/contains$/i.test(keyword)) {
      return [{ path, keyword: "contains", wanted: containing(holder) }];
    }
    if (keyword === "not") return [{ path, keyword }];
    if (keyword === "$ref" || keyword in applicators) return [];
    return assertionFaults(finding, path, holder);
  }

  #isBelowAmbiguous({ keywordLocation, instanceLocation }: OutputUnit): boolean {
    const parent = this.#ambiguous;
    return (
      parent !== undefined &&
      keywordLocation.startsWith(`${parent.keywordLocation}/`) &&
      `${instanceLocation}/`.startsWith(`${parent.instanceLocation}/`)
    );
  }
}

/** An unexpected field is named by what follows, the finding of `false` itself. */
const closedPath = (keyword: string, path: string, next: OutputUnit | undefined) =>
  next && /Properties$/.test(keyword) ? pathOf(next.instanceLocation) : path;

function containing({ minContains = 1, maxContains }: PreparedSchema): Containing {
  return { min: minContains, max: maxContains };
}

const REQUIRED = 'Instance does not have required property "';

/** The interpreter names missing fields in its messages only. */
function assertionFaults(
  { keyword, error }: OutputUnit,
  path: string,
  holder: PreparedSchema,
): Fault[] {
  const wanted = holder[keyword];
  if (keyword === "required") {
    return [{ path: pointer(path, error.slice(REQUIRED.length, -'".'.length)), keyword }];
  }
  if (keyword !== "dependentRequired") return [{ path, keyword, wanted }];
  return Object.entries(Object(wanted))
    .flatMap(([field, names]) => [names].flat().map((name) => ({ field, name: String(name) })))
    .filter(({ field, name }) => error === `Instance has "${field}" but does not have "${name}".`)
    .map(({ field, name }) => ({ path: pointer(path, name), keyword, wanted: field }));
}

/** The interpreter's locations are URI fragments. */
const pathOf = (location: string) => decodeURIComponent(location.slice(1));
