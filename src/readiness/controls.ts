import type { Profile } from "../contracts.js";
import { isRecord } from "./data.js";
import { finding, type ReadinessCode, type ReadinessFinding } from "./finding.js";

/** What keeps an effect to one: recovery, its journal, verification; and the limit on the output. */
export function checkControls(
  tool: Readonly<Record<string, unknown>>,
  readOnly: boolean,
  profile: Profile | undefined,
): ReadinessFinding[] {
  const found: ReadinessFinding[] = [];
  const { idempotency, journal, recover, verify, outputBudgetBytes } = tool;
  if (isRecord(idempotency)) {
    if (!recover) found.push(finding("recover_missing", "/recover"));
    const code = journalFault(
      idempotency.store,
      isRecord(journal) ? journal.store : undefined,
      profile,
    );
    if (code) found.push(finding(code, "/journal/store"));
  }
  if (!readOnly && !verify) found.push(finding("verify_missing", "/verify"));
  if (outputBudgetBytes !== undefined && !isPositiveInteger(outputBudgetBytes)) {
    found.push(finding("output_budget_invalid", "/outputBudgetBytes"));
  }
  return found;
}

/** A tool that names no store, and no journal beside the profile's store, uses the profile's. */
function journalFault(
  store: unknown,
  journal: unknown,
  profile: Profile | undefined,
): ReadinessCode | undefined {
  if (isRecord(journal)) return journal.scope === "profile" ? undefined : "journal_of_one_tab";
  const used = store ?? profile?.idempotency;
  return used === profile?.idempotency ? undefined : "journal_missing";
}

const isPositiveInteger = (value: unknown) => Number.isInteger(value) && Number(value) > 0;
