/** npm's own commands that a README may show to those who use the package. */
const ownCommands: readonly string[] = ["install", "ci", "pack"];

/** The npm commands in a Markdown text's code, without their arguments: `npm run build`, `npm test`. */
export function quotedCommands(markdown: string): string[] {
  const code = markdown.match(/```.*?```|`[^`\n]+`/gs) ?? [];
  const commands = code.join("\n").match(/\bnpm (?:run(?:-script)? )?[\w:-]+/g) ?? [];
  return [...new Set(commands)];
}

/** The commands that neither npm nor the package's scripts know. */
export function unknownCommands(
  commands: readonly string[],
  scripts: Readonly<Record<string, string>>,
): string[] {
  return commands.filter((command) => {
    const [, ...words] = command.split(" ");
    const name = words.at(-1) ?? "";
    const shorthand = words.length === 1;
    if (shorthand && ownCommands.includes(name)) return false;
    if (shorthand && !["start", "stop", "test", "restart"].includes(name)) return true;
    return !Object.hasOwn(scripts, name);
  });
}
