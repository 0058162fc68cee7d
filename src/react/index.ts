"use client";

/**
 * `signett/react`: tools that live as long as a component. For React 18 and 19.
 *
 * @module
 */
export { type SignettToolState, useSignettTool } from "./use-signett-tool.js";
