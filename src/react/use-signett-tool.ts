import { type DependencyList, useEffect, useInsertionEffect, useMemo, useState } from "react";
import type { DataOf } from "../schema-types.js";
import type { Signett } from "../signett.js";
import type { Tool } from "../tool.js";
import { following, type Latest } from "./following.js";

/** How the registration of a component's tool stands. It is the same object as long as nothing changes. */
export type SignettToolState =
  /** `"unsupported"`: this browser has no WebMCP. */
  | { readonly status: "registering" | "registered" | "unsupported"; readonly error?: undefined }
  /** `error` is what `expose` rejected with: a fault of the tool, or the browser's refusal. */
  | { readonly status: "failed"; readonly error: unknown };

const REGISTERING: SignettToolState = { status: "registering" };
const REGISTERED: SignettToolState = { status: "registered" };
const UNSUPPORTED: SignettToolState = { status: "unsupported" };

/**
 * Exposes a tool for as long as the component is mounted (core concepts seed, "Registration and lifecycle"). It never
 * throws; a server render registers nothing.
 *
 * Calls run the functions of the last committed render. Everything else of the tool, and which controls it has, is read
 * when `deps` change: then the tool is registered anew, and calls that run go on with the functions that were rendered
 * for their `deps`. So a value that `key`, `confirm` and `execute` must agree on belongs in `deps`, or in the input.
 *
 * @param signett Keep it stable across renders, for instance in a module.
 * @param deps As in `useEffect`: what changes how agents see the tool. A new object in each render registers in each.
 */
export function useSignettTool<
  Context,
  const Schema extends object,
  Output,
  Input = DataOf<Schema>,
>(
  signett: Signett<Context>,
  tool: Tool<Input, NoInfer<Context>, Output, Schema>,
  deps: DependencyList,
): SignettToolState {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller's `deps` decide, as in `useEffect`.
  const latest: Latest<typeof tool> = useMemo(() => ({ tool }), [signett, ...deps]);
  const [settled, settle] = useState<{ latest: object; state: SignettToolState }>();

  // Before any effect, and so before a call could come between a commit and its effects.
  useInsertionEffect(() => {
    latest.tool = tool;
  });

  useEffect(() => {
    const lifetime = new AbortController();
    const { signal } = lifetime;
    registered(signett, latest, signal).then((state) => {
      if (!signal.aborted) settle({ latest, state });
    });
    return () => {
      lifetime.abort();
      settle(undefined);
    };
  }, [signett, latest]);

  return settled?.latest === latest ? settled.state : REGISTERING;
}

async function registered<Input, Context, Output, Schema extends object>(
  signett: Signett<Context>,
  latest: Latest<Tool<Input, Context, Output, Schema>>,
  signal: AbortSignal,
): Promise<SignettToolState> {
  try {
    const { status } = await signett.expose(following(latest), { signal });
    return status === "unsupported" ? UNSUPPORTED : REGISTERED;
  } catch (error) {
    return { status: "failed", error };
  }
}
