import { useMemo, useSyncExternalStore } from "react";
import {
  type ActivityOptions,
  createSignettActivity,
  type SignettActivity,
} from "../activity/activity.js";
import type { ActivitySnapshot } from "../activity/calls.js";
import type { Signett } from "../signett.js";

const NOTHING: ActivitySnapshot = { invocations: [], latest: undefined };

/**
 * The calls of an interface or of a profile, for as long as the component is mounted, those that run already included. The
 * component renders again when something changes, and a server render shows nothing.
 *
 * @param signett Keep it stable across renders, for instance in a module.
 * @param options As of `createSignettActivity`; written in place is fine. When one changes, the list begins anew.
 * @throws {TypeError} into the nearest error boundary, as `createSignettActivity` does.
 */
export function useSignettActivity<Context>(
  signett: Signett<Context>,
  { toolName, maxInvocations, scope }: ActivityOptions = {},
): ActivitySnapshot {
  const [subscribe, getSnapshot] = useMemo(() => {
    // Made when the component is mounted: a render that React gives up must leave nothing behind.
    let activity: SignettActivity | undefined;
    return [
      (changed: () => void) => {
        const own = createSignettActivity(signett, { toolName, maxInvocations, scope });
        activity = own;
        own.subscribe(changed);
        return own.dispose;
      },
      () => activity?.getSnapshot() ?? NOTHING,
    ] as const;
  }, [signett, toolName, maxInvocations, scope]);
  return useSyncExternalStore(subscribe, getSnapshot, () => NOTHING);
}
