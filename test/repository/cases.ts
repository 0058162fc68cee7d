import { parseSync, Visitor } from "vite";

/** One row of a table of docs/cases.md. */
export interface CaseRow {
  readonly id: string;
  readonly report: string;
  /** The file with the test, or why there can be none. */
  readonly last: string;
}

/** The rows of every table that is about reports, in their order. */
export function caseRows(markdown: string): CaseRow[] {
  return [...markdown.matchAll(/^\| (C\d+) \| (.*?) \| (.*) \|$/gm)].map(
    ([, id = "", report = "", rest = ""]) => ({
      id,
      report,
      last: /`([^`]+)`$/.exec(rest)?.[1] ?? rest,
    }),
  );
}

/** The first arguments of calls in the file that are texts: titles of tests are among them. */
export function titles(path: string, text: string): string[] {
  const found: string[] = [];
  const { program } = parseSync(path, text);
  new Visitor({
    CallExpression({ callee, arguments: [first, ...more] }) {
      if (!first || more.length === 0 || !isTest(text.slice(callee.start, callee.end))) return;
      if (first.type === "Literal" || first.type === "TemplateLiteral") {
        found.push(text.slice(first.start, first.end));
      }
    },
  }).visit(program);
  return found;
}

const isTest = (callee: string): boolean => /^(describe|it|test)\b/.test(callee);
