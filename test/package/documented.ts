import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseSync } from "vite";

type Program = ReturnType<typeof parseSync>["program"];
type Statement = Program["body"][number];

/** The names that a declaration file exports and that no doc comment says anything about. */
export function undocumented(file: string): string[] {
  return exportsOf(file).filter((name) => !isDocumented(file, name));
}

/** All names that a declaration file exports, those of other files included. */
export function exportsOf(file: string): string[] {
  return statementsOf(file).flatMap((statement) => {
    if (statement.type === "ExportAllDeclaration") return exportsOf(follow(file, statement));
    if (statement.type !== "ExportNamedDeclaration") return [];
    const passedOn = statement.specifiers.map(({ exported }) => textOf(exported));
    return [...declaredBy(statement), ...passedOn];
  });
}

/** Whether the declaration of a name, wherever it is passed on from, follows a doc comment. */
function isDocumented(file: string, name: string): boolean {
  return statementsOf(file).some((statement) => {
    if (declaredBy(statement).includes(name)) return followsDocComment(file, statement.start);
    switch (statement.type) {
      case "ExportAllDeclaration":
        return isDocumented(follow(file, statement), name);
      case "ExportNamedDeclaration": {
        const found = statement.specifiers.find(({ exported }) => textOf(exported) === name);
        // Without a source, the name is imported or declared elsewhere in the file.
        return found && statement.source
          ? isDocumented(follow(file, statement), textOf(found.local))
          : false;
      }
      case "ImportDeclaration": {
        const imported = statement.specifiers.some(({ local }) => local.name === name);
        return imported && isDocumented(follow(file, statement), name);
      }
      default:
        return false;
    }
  });
}

function declaredBy(statement: Statement): string[] {
  const declaration =
    statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  switch (declaration?.type) {
    case "VariableDeclaration":
      return declaration.declarations.flatMap(({ id }) => ("name" in id ? [id.name] : []));
    case "ClassDeclaration":
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return declaration.id ? [declaration.id.name] : [];
    default:
      return [];
  }
}

function followsDocComment(file: string, start: number): boolean {
  const text = readFileSync(file, "utf8").slice(0, start).trimEnd();
  return text.endsWith("*/") && text.slice(text.lastIndexOf("/*")).startsWith("/**");
}

const parsed = new Map<string, Program["body"]>();

function statementsOf(file: string): Program["body"] {
  const known = parsed.get(file);
  if (known) return known;
  const { program } = parseSync(file, readFileSync(file, "utf8"));
  parsed.set(file, program.body);
  return program.body;
}

function follow(file: string, { source }: { source: { value: string } | null }): string {
  return resolve(dirname(file), (source?.value ?? "").replace(/\.js$/, ".d.ts"));
}

const textOf = (name: { name: string } | { value: string }): string =>
  "name" in name ? name.name : name.value;
