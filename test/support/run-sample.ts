import { readFileSync } from "node:fs";
import { transformWithOxc } from "vite";

/**
 * Runs a sample of a document as it stands there, and gives what it exports.
 *
 * @param modules What its imports give, by name.
 * @param globals The functions of the reader's own application that it calls.
 */
export function runSample(
  file: string,
  name: string,
  modules: Modules,
  globals: Globals = {},
): Promise<Record<string, unknown>> {
  const fence = new RegExp(`^\`\`\`tsx? sample=${name}\\n(.*?)^\`\`\`$`, "ms");
  const [, text] = fence.exec(readFileSync(file, "utf8")) ?? [];
  if (text === undefined) throw new Error(`${file} has no sample ${name}.`);
  return runModule(text, { modules, globals });
}

type Modules = Readonly<Record<string, object>>;
type Globals = Readonly<Record<string, unknown>>;

/** Runs the text of a module, and gives what it exports. With `refresh`, React can replace its components later. */
export async function runModule(
  text: string,
  { modules, globals, refresh = false }: { modules: Modules; globals: Globals; refresh?: boolean },
): Promise<Record<string, unknown>> {
  const { code } = await transformWithOxc(text, "sample.tsx", {
    jsx: { runtime: "automatic", development: false, refresh },
  });
  const exported: string[] = [];
  const body = code
    .replaceAll(/^import (\{[^}]*\}) from ("[^"]*");$/gm, (_, names: string, from: string) => {
      return `const ${names.replaceAll(" as ", ": ")} = modules[${from}];`;
    })
    .replaceAll(/^export (function|const) (\w+)/gm, (_, kind: string, exportName: string) => {
      exported.push(exportName);
      return `${kind} ${exportName}`;
    });
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = new AsyncFunction(
    ...["modules", ...Object.keys(globals)],
    `${body}\nreturn { ${exported.join(", ")} };`,
  );
  return await run(modules, ...Object.values(globals));
}
