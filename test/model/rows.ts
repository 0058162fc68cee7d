/** The rows of the failure table in section 3 of the contract. */
export const ROWS = [
  "handler threw, recovered",
  "handler threw, recover unknown or threw",
  "handler threw, not applied",
  "handler threw, undecided, no entry",
  "handler threw, undecided, entry written or unreadable",
  "handler threw after the caller left, no entry",
  "handler threw after the caller left, entry written",
  "takeover, recovered",
  "takeover, not applied",
  "takeover, not recovered, no entry and that is proof",
  "takeover, not recovered, no entry and that is no proof",
  "takeover, the caller left before it was decided",
  "takeover, not recovered, entry written",
  "takeover, unknown, threw, or no hook",
] as const;

/** One row of the failure table. */
export type Row = (typeof ROWS)[number];
