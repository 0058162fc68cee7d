import { readFileSync } from "node:fs";

/** Where an error is marked or reported, and what it says. */
export interface Fault {
  /** `file:line`; the file's path starts at the current directory. */
  readonly place: string;
  readonly text: string;
}

const MARK = /^\s*\/\/ expect: (.*)$/;

/** The marks of a file. `// expect: …` is about the next line that is no mark, and has a part of the error's message. */
export function marksOf(file: string): Fault[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const text = MARK.exec(line)?.[1];
    if (text === undefined) return [];
    const target = lines.findIndex((other, later) => later > index && !MARK.test(other));
    return [{ place: `${file}:${target + 1}`, text }];
  });
}

/** The errors in the compiler's output, the lines that explain one being part of it. */
export function reportedIn(output: string): Fault[] {
  const error = /^(\S+)\((\d+),\d+\): error (.*(?:\n +.*)*)/gm;
  return Array.from(output.matchAll(error), ([, file, line, text = ""]) => ({
    place: `${file}:${line}`,
    text,
  }));
}

/** The faults as text, in their order; a report that has a mark is written as the mark, so that the two lists can be compared. */
export function described(faults: readonly Fault[], marks: readonly Fault[] = []): string[] {
  return faults
    .map(({ place, text }) => {
      const mark = marks.find((other) => other.place === place && text.includes(other.text));
      return `${place} ${mark?.text ?? text}`;
    })
    .sort();
}
