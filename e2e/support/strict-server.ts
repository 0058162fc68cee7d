import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

/** The policy that docs/validation.md promises to work. */
export const STRICT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types signett",
].join("; ");

const MIME_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Serves the built pages under the strict policy, workers too, and passes the demo's API on. */
export class StrictServer {
  /** The violation reports that browsers filed, from pages and workers. */
  readonly reports: string[] = [];
  /** The policies of the responses for worker scripts. */
  readonly workerPolicies: (string | undefined)[] = [];
  readonly #server = createServer((incoming, response) => {
    this.#serve(incoming, response).catch(() => response.writeHead(404).end());
  });
  readonly #api: string;
  readonly #isolated: boolean;

  private constructor(api: string, isolated: boolean) {
    this.#api = api;
    this.#isolated = isolated;
  }

  /** @param options.isolated Adds the headers of cross-origin isolation. */
  static async start(api: string, { isolated = false } = {}): Promise<StrictServer> {
    const strict = new StrictServer(api, isolated);
    strict.#server.listen(0, "localhost");
    await once(strict.#server, "listening");
    return strict;
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://localhost:${port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(incoming.url ?? "/", this.origin);
    if (pathname === "/reports") return this.#report(incoming, response);
    if (pathname.startsWith("/api/")) return this.#forward(incoming, response);
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    const content = await readFirst(["demo/dist/page", "e2e/dist"], name);
    response.setHeader("Content-Security-Policy", `${STRICT_POLICY}; report-uri /reports`);
    if (this.#isolated) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    if (incoming.headers["sec-fetch-dest"] === "sharedworker") {
      this.workerPolicies.push(String(response.getHeader("Content-Security-Policy")));
    }
    response.setHeader("Content-Type", MIME_TYPES[extname(name)] ?? "application/octet-stream");
    response.end(content);
  }

  async #report(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of incoming) text += chunk;
    this.reports.push(text);
    response.writeHead(204).end();
  }

  async #forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers, url = "/" } = incoming;
    const outgoing = request(new URL(url, this.#api), { method, headers });
    incoming.pipe(outgoing);
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  }
}

async function readFirst(folders: readonly string[], name: string): Promise<Buffer> {
  for (const folder of folders) {
    const content = await readFile(join(folder, name)).catch(() => undefined);
    if (content) return content;
  }
  throw new Error(`There is no ${name}.`);
}
