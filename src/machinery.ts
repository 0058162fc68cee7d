import type { Definition } from "./definition.js";
import type { InputCheck } from "./validation/validator.js";

let loading: Promise<typeof import("./idempotent.js")> | undefined;

/**
 * What runs idempotent calls: claims, recovery, settlement. A chunk of its own, which pages without idempotent tools
 * don't load.
 */
export function machinery(): Promise<typeof import("./idempotent.js")> {
  loading ??= import("./idempotent.js").catch((error: unknown) => {
    // A chunk that could not be loaded may load next time.
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Loads all that a call of this tool needs, so that no call finds it missing when it has begun, and gives its check. */
export async function prepare<Input, Context, Output>({
  check,
  coordination,
}: Definition<Input, Context, Output>): Promise<InputCheck> {
  const [inputCheck] = await Promise.all([check(), coordination && machinery()]);
  return inputCheck;
}
