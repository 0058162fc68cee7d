declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Whether a bundler says that this is no production build. It replaces the expression; where nothing does, there is no `process`. */
export function inDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== "production";
  } catch {
    return false;
  }
}
