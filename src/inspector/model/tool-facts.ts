import type { AnyTool } from "../../exposed.js";

/** A line about a tool: what it is, and what that means. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** The hints that an agent's host gets. */
export function hintsOf({ annotations, exposedTo }: AnyTool): readonly string[] {
  const { readOnlyHint, untrustedContentHint, consequentialHint, debugging } = annotations ?? {};
  return [
    ...(readOnlyHint ? ["only reads"] : []),
    ...(consequentialHint ? ["consequential"] : []),
    ...(untrustedContentHint ? ["untrusted content"] : []),
    ...(debugging ? ["debugging"] : []),
    ...(exposedTo ?? []).map((origin) => `exposed to ${origin}`),
  ];
}

/** The controls around a tool's handler, in the order in which a call meets them. */
export function controlsOf(tool: AnyTool): readonly Fact[] {
  const { authorize, confirm, idempotency, journal, recover, verify } = tool;
  const facts: Fact[] = [];
  const add = (name: string, text: string) => facts.push({ name, text });
  if (authorize) add("authorize", "on every call, before a replay too");
  if (confirm) {
    const everyCall = typeof confirm === "function" || confirm.mode === "always";
    add("confirm", everyCall ? "on every call" : "before an effect only");
  }
  if (idempotency) {
    const { store, waitTimeoutMs = 120_000, fingerprint } = idempotency;
    add("idempotency", store ? "in a store of its own" : "in the profile");
    add("waits", `at most ${waitTimeoutMs / 1_000} s for the owner of its key`);
    if (fingerprint) {
      add("fingerprint", fingerprint === true ? "the whole input" : "chosen by the tool");
    }
    add(
      "journal",
      journal?.store ? `a ${journal.store.scope ?? "tab"}'s journal` : "the profile's",
    );
  }
  if (recover) add("recover", "asks the authority");
  if (verify) add("verify", limited(tool.verifyTimeoutMs));
  if (tool.outputBudgetBytes) add("output budget", `${tool.outputBudgetBytes} bytes`);
  return facts;
}

const limited = (ms: number | undefined) =>
  ms ? `within ${ms / 1_000} s` : "without a time limit";
