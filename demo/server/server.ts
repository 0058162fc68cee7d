import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { PGlite } from "@electric-sql/pglite";
import { Faults } from "./faults.js";
import { RequestError, readJson, requireSameOrigin, send } from "./http.js";
import { createRoutes, type Route } from "./routes.js";
import { sendFile } from "./static.js";

export interface DemoServerOptions {
  /** With its tables made: see `prepareDatabase`. */
  readonly database: PGlite;
  /** Directories with the built pages; the first that has a file serves it. */
  readonly pages: readonly string[];
}

/** Ajv compiles schemas with `new Function`, hence 'unsafe-eval'. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const REQUEST_TIMEOUT_MS = 10_000;

/** The demo's pages and JSON API on a database. Nothing listens yet. */
export function createDemoServer({ database, pages }: DemoServerOptions): Server {
  const faults = new Faults();
  const routes = createRoutes(database, faults);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireSameOrigin(request);
    const { path, query } = parseTarget(request.url ?? "/");
    if (!/^\/api(\/|$)/.test(path)) return sendFile(request, response, path, pages);

    const { route, id } = findRoute(routes, request.method ?? "", path);
    const body = route.method === "GET" ? undefined : await readJson(request);
    const answer = await route.handle({ request, id, query, body });
    if (route.faulty) faults.deliver(response, answer);
    else send(response, answer);
  }

  return createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    serve(request, response).catch((error: unknown) => {
      if (response.destroyed) return;
      send(response, toRequestError(error).toAnswer());
    });
  });
}

function parseTarget(target: string): { path: string; query: URLSearchParams } {
  const [encoded = "", ...search] = target.split("?");
  const path = decodePath(encoded);
  if (path === undefined || path.includes("\0")) {
    throw new RequestError(400, "malformed_path", "The path must be UTF-8 without NUL, encoded.");
  }
  return { path, query: new URLSearchParams(search.join("?")) };
}

function decodePath(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; id: string } {
  const there = routes.filter((route) => route.path.test(path));
  if (there.length === 0) throw new RequestError(404, "not_found", "There is no such endpoint.");
  const route = there.find((candidate) => candidate.method === method);
  if (!route) {
    const allowed = there.map((candidate) => candidate.method).join(", ");
    throw new RequestError(405, "method_not_allowed", `Use ${allowed}.`, { Allow: allowed });
  }
  return { route, id: route.path.exec(path)?.groups?.id ?? "" };
}

function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  console.error(error);
  return new RequestError(500, "internal_error", "The server failed; its log says why.");
}
