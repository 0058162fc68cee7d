import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { folder, type Serving } from "./commands.js";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
};

/** Serves the files of a folder as any web server would, with a policy if there is one. */
export async function serveFiles(path: string, policy?: string): Promise<Serving> {
  const server = createServer(async ({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const file = join(folder, path, pathname === "/" ? "index.html" : pathname);
    try {
      const body = await readFile(file);
      response.setHeader("content-type", types[extname(file)] ?? "text/plain");
      if (policy) response.setHeader("content-security-policy", policy);
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0);
  await once(server, "listening");
  const address = server.address();
  if (typeof address === "string" || !address) throw new Error("No port is free.");
  return {
    url: `http://localhost:${address.port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
