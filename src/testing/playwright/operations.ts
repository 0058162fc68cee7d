import type { Page } from "@playwright/test";
import type { OperationInfo, ProfileOperations } from "../../operations.js";

/** Options of {@link operations}. */
export interface OperationsOptions {
  /** The profile's. Default `"signett"`. */
  readonly namespace?: string;
}

/**
 * All operations of the profile that the page is connected to, as plain data, without outputs.
 * @throws {Error} when the page has no such profile, with the ones that it has.
 */
export async function operations(
  page: Page,
  { namespace = "signett" }: OperationsOptions = {},
): Promise<OperationInfo[]> {
  const { listed, namespaces } = await page.evaluate(listInPage, namespace);
  if (listed) return listed;
  throw new Error(
    `operations: the page has no profile "${namespace}". Its profiles: ${namespaces.join(", ") || "none"}.`,
  );
}

/** Sent to the page as text. */
async function listInPage(namespace: string) {
  interface Entry {
    readonly profile: { readonly operations: ProfileOperations };
  }
  const place = globalThis as typeof globalThis &
    Record<symbol, { profiles: Map<string, Entry> } | undefined>;
  const profiles = place[Symbol.for("signett")]?.profiles ?? new Map<string, Entry>();
  const namespaces = [...profiles.keys()];
  const entry = profiles.get(namespace);
  if (!entry) return { namespaces };
  const listed: OperationInfo[] = [];
  let cursor: string | undefined;
  do {
    const page = await entry.profile.operations.list({ cursor });
    listed.push(...page.operations);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { listed, namespaces };
}
