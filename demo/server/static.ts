import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { RequestError } from "./http.js";

const MIME_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/**
 * Sends the file at a decoded path from the first of the directories that has it.
 *
 * @throws {RequestError} if there is none, or the method is not for files.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  directories: readonly string[],
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    throw new RequestError(405, "method_not_allowed", "Pages can only be read.", {
      Allow: "GET, HEAD",
    });
  }
  const name = path === "/" ? "index.html" : path.slice(1);
  for (const directory of directories) {
    const content = await readInside(directory, name);
    if (content === undefined) continue;
    response.writeHead(200, {
      "Content-Type": MIME_TYPES[extname(name).toLowerCase()] ?? "application/octet-stream",
      "Content-Length": content.length,
      "Cache-Control": "no-cache",
    });
    response.end(content);
    return;
  }
  throw new RequestError(404, "not_found", "There is no such page.");
}

async function readInside(directory: string, name: string): Promise<Buffer | undefined> {
  const file = join(directory, name);
  const [first] = relative(directory, file).split(sep);
  if (first === ".." || first === "") return undefined;
  try {
    return await readFile(file);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  const codes: readonly unknown[] = ["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG"];
  return error instanceof Error && "code" in error && codes.includes(error.code);
}
