/**
 * `signett/inspector`: a panel that shows a developer what tools do, in all tabs.
 *
 * @module
 */
export { type InspectorOptions, mountSignettInspector } from "./mount.js";
export type { InspectedProfile } from "./profile.js";
