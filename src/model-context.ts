/** Hints for the agent's host; each passes through to WebMCP as it is. */
export interface ToolAnnotations {
  /** The tool only reads. */
  readOnlyHint?: boolean;
  /** The output may hold text from sources that the application does not control. */
  untrustedContentHint?: boolean;
  /** The effect is significant, real or hard to undo: a payment, a booking. */
  consequentialHint?: boolean;
  /** The tool is for developers rather than for users. */
  debugging?: boolean;
}

/** What Signett hands to the host for each tool. */
export interface ModelContextTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: object;
  annotations?: ToolAnnotations;
  /** Hosts pass whatever the agent sent, and some pass no options. */
  execute(input: unknown, options?: { signal?: AbortSignal }): Promise<unknown>;
}

/**
 * The part of WebMCP's `ModelContext` that Signett needs: `document.modelContext` where the browser has it,
 * or a test harness or bridge passed to `createSignett({ modelContext })`.
 */
export interface ModelContext {
  registerTool(
    tool: ModelContextTool,
    options?: { signal?: AbortSignal; exposedTo?: string[] },
  ): Promise<void> | void;
}
