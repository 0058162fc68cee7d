import type { Profile } from "../contracts.js";
import type { Tool } from "../tool.js";
import { checkControls } from "./controls.js";
import { isRecord } from "./data.js";
import { ToolReadinessError } from "./error.js";
import type { ReadinessFinding } from "./finding.js";
import { checkNaming, isReadOnly } from "./naming.js";
import { checkSchema } from "./schema.js";

/** Options of {@link checkToolReadiness} and {@link assertToolReady}. */
export interface ReadinessOptions {
  /**
   * The profile that the tool will be used with. Needed only for tools that name its store themselves: one that names
   * none counts as using the profile's.
   */
  readonly profile?: Profile;
}

/**
 * Finds what makes a tool hard or risky for an agent to use (core concepts seed, "Readiness and deterministic testing"):
 * names, descriptions and hints; open, unbounded or undocumented input; and controls without which an effect
 * can't be recovered or verified. It calls nothing of the tool and compiles no schema.
 *
 * @returns The findings, those of the schema outermost first; none for a tool that is ready.
 * @throws {TypeError} for what is no tool at all, or can't be read.
 */
export function checkToolReadiness<Input, Context, Output>(
  tool: Tool<Input, Context, Output>,
  { profile }: ReadinessOptions = {},
): readonly ReadinessFinding[] {
  return findingsOf(tool, profile);
}

/** {@link checkToolReadiness} for whatever is said to be a tool. */
export function findingsOf(
  subject: unknown,
  profile: Profile | undefined,
): readonly ReadinessFinding[] {
  if (!isRecord(subject)) throw new TypeError("A tool is an object with a name and a schema.");
  try {
    const readOnly = isReadOnly(subject);
    return [
      ...checkNaming(subject, readOnly),
      ...checkSchema(subject.inputSchema, "/inputSchema"),
      ...checkControls(subject, readOnly, profile),
    ];
  } catch (cause) {
    throw new TypeError("The tool can't be checked: it can't be read, or has no end.", { cause });
  }
}

/**
 * {@link checkToolReadiness} for test suites.
 * @throws {ToolReadinessError} that lists every finding.
 * @throws {TypeError} for what is no tool at all, or can't be read.
 */
export function assertToolReady<Input, Context, Output>(
  tool: Tool<Input, Context, Output>,
  options?: ReadinessOptions,
): void {
  const findings = checkToolReadiness(tool, options);
  if (findings.length === 0) return;
  const { name }: { readonly name: unknown } = tool;
  throw new ToolReadinessError(typeof name === "string" ? name : "", findings);
}
