"use client";

/**
 * `signett/react`: tools that live as long as a component, and what a person sees of their calls. For React 18 and 19.
 *
 * @module
 */
export { useSignettActivity } from "./use-signett-activity.js";
export { type SignettToolState, useSignettTool } from "./use-signett-tool.js";
