import { posix } from "node:path";
import { parseSync, Visitor } from "vite";

/** A source file; its path starts at the repository's directory and uses `/`. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface Room {
  /** Folders (ending in `/`) and files that it may import from. */
  readonly reaches: readonly string[];
  /** What it may load when it is needed, and not before. */
  readonly onDemand?: readonly string[];
  /** Packages that it may import, and the folder in which it may. */
  readonly packages: Readonly<Record<string, string>>;
}

/** Imports go one way, so that a room can be read, tested and replaced without the ones that use it. */
const rooms: Readonly<Record<string, Room>> = {
  src: {
    reaches: ["src/"],
    packages: {
      ajv: "src/validation/",
      "@cfworker/json-schema": "src/validation/",
      "node:fs": "src/validation/",
      react: "src/react/",
      "@opentelemetry/api": "src/opentelemetry/",
      "@playwright/test": "src/testing/playwright/",
    },
  },
  // Puts the product together on a virtual browser.
  "src/testing/profile": { reaches: ["src/", "client/", "worker/", "stores/"], packages: {} },
  client: {
    reaches: [
      "client/",
      "worker/protocol.ts",
      "worker/names.ts",
      "worker/packets.ts",
      "src/clock.ts",
      "src/contracts.ts",
      "src/development.ts",
      "src/disposable.ts",
      "src/errors.ts",
      "src/events.ts",
      "src/operation-errors.ts",
      "src/operations.ts",
      "src/output.ts",
      "src/persist.ts",
      "src/shared.ts",
      "src/uncoordinated.ts",
    ],
    onDemand: ["worker/in-page.ts"],
    packages: { comlink: "client/" },
  },
  worker: {
    reaches: ["worker/", "stores/", "src/clock.ts", "src/operations.ts"],
    packages: { comlink: "worker/" },
  },
  stores: {
    reaches: [
      "stores/",
      "src/clock.ts",
      "src/contracts.ts",
      "src/errors.ts",
      "src/operation-errors.ts",
      "src/persist.ts",
      "src/uncoordinated.ts",
    ],
    packages: { idb: "stores/" },
  },
};

/** The folders that the table is about. */
export const roomNames: readonly string[] = Object.keys(rooms);

/** Files that offer a room to others: they may re-export from every room. */
const entries: readonly string[] = [
  "src/index.ts",
  "client/index.ts",
  "stores/index.ts",
  "src/testing/index.ts",
  "src/testing/playwright/index.ts",
  "worker/index.ts",
];

interface Import {
  readonly specifier: string;
  readonly reExport: boolean;
  readonly onDemand: boolean;
}

/** Checks every import, type-only ones included. Each complaint is a sentence. */
export function checkRooms(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map(({ path }) => path));
  const complaints: string[] = [];
  const graph = new Map<string, string[]>();
  for (const file of files) {
    const targets: string[] = [];
    for (const found of importsOf(file)) {
      const complaint = found.specifier.startsWith(".")
        ? checkRelative(file.path, found, known)
        : checkPackage(file.path, found.specifier);
      if (complaint) complaints.push(complaint);
      targets.push(resolve(file.path, found.specifier));
    }
    graph.set(file.path, targets);
  }
  return [...complaints, ...findCycles(graph)];
}

function checkRelative(
  path: string,
  { specifier, reExport, onDemand }: Import,
  known: ReadonlySet<string>,
): string | undefined {
  const target = resolve(path, specifier);
  if (!known.has(target)) {
    return `${path} imports "${specifier}", which is no source file of a room.`;
  }
  if (reExport && entries.includes(path)) return undefined;
  const { name, reaches, onDemand: reachesLater = [] } = roomOf(path);
  if (onDemand && reachesLater.includes(target)) return undefined;
  if (reaches.some((allowed) => target === allowed || isUnder(target, allowed))) return undefined;
  return `${path} imports ${target}, but ${name}/ may import only from ${reaches.join(", ")}.`;
}

function checkPackage(path: string, specifier: string): string | undefined {
  const { name, packages } = roomOf(path);
  const packageName = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const folder = packages[packageName];
  if (folder === undefined) {
    return `${path} imports the package ${packageName}, but ${name}/ may import only ${Object.keys(packages).join(", ")}.`;
  }
  if (isUnder(path, folder)) return undefined;
  return `${path} imports the package ${packageName}, which only ${folder} may import.`;
}

function roomOf(path: string): Room & { readonly name: string } {
  const names = Object.keys(rooms).filter((folder) => isUnder(path, `${folder}/`));
  // The innermost one.
  const name = names.reduce((a, b) => (a.length > b.length ? a : b), "");
  const room = rooms[name];
  if (!room) throw new Error(`${path} is in no room.`);
  return { name, ...room };
}

function isUnder(path: string, folder: string): boolean {
  return folder.endsWith("/") && path.startsWith(folder);
}

/** The source file behind a relative import of its compiled name. */
function resolve(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
}

function importsOf({ path, text }: SourceFile): Import[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`);
  const found: Import[] = [];
  const add = (
    source: { value?: unknown } | null,
    { reExport = false, onDemand = false } = {},
  ): void => {
    if (typeof source?.value !== "string") return;
    found.push({ specifier: source.value, reExport, onDemand });
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source, { reExport: true }),
    ExportAllDeclaration: ({ source }) => add(source, { reExport: true }),
    ImportExpression: ({ source }) => add("value" in source ? source : null, { onDemand: true }),
    TSImportType: ({ source }) => add(source),
  }).visit(program);
  return found;
}

/** Walks depth first; an import of a file that is still being walked closes a cycle. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const complaints: string[] = [];
  const finished = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      complaints.push(`Import cycle: ${[...trail.slice(start), path].join(" → ")}.`);
      return;
    }
    if (finished.has(path)) return;
    for (const target of graph.get(path) ?? []) walk(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  return complaints;
}
