import type { Tool } from "../tool.js";

/** Holds the tool as it was last rendered. */
export interface Latest<RenderedTool> {
  tool: RenderedTool;
}

/**
 * The tool as it is now, but with functions that run the latest rendered ones. What is no function, and which functions
 * there are, stays: a control that a later render leaves out keeps its last say.
 */
export function following<Input, Context, Output, Schema extends object>(
  latest: Latest<Tool<Input, Context, Output, Schema>>,
): Tool<Input, Context, Output, Schema> {
  const { tool } = latest;
  const { authorize, confirm, idempotency, journal, recover, verify } = tool;
  const journalKey = journal?.key;
  return {
    ...tool,
    execute: (...call) => latest.tool.execute(...call),
    ...(authorize && { authorize: (call) => (latest.tool.authorize ?? authorize)(call) }),
    ...(confirm && {
      confirm: {
        mode: typeof confirm === "function" ? "always" : confirm.mode,
        request: (call) => requestOf(latest.tool.confirm ?? confirm)(call),
      },
    }),
    ...(idempotency && {
      idempotency: {
        ...idempotency,
        key: (call) => (latest.tool.idempotency ?? idempotency).key(call),
      },
    }),
    ...(journal && {
      journal: {
        ...journal,
        ...(journalKey && { key: (call) => (latest.tool.journal?.key ?? journalKey)(call) }),
      },
    }),
    ...(recover && { recover: (call) => (latest.tool.recover ?? recover)(call) }),
    ...(verify && { verify: (call) => (latest.tool.verify ?? verify)(call) }),
  };
}

const requestOf = <Input, Context>(
  confirm: NonNullable<Tool<Input, Context, unknown>["confirm"]>,
) => (typeof confirm === "function" ? confirm : confirm.request);
