import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { DemoClient, type DemoServer, startDemoServer } from "./demo-server.js";

const CANCEL = "/api/orders/A-1001/cancel";
const JSON_TYPE = { "Content-Type": "application/json" };

export function describeRequests(database: PGlite): void {
  describe("requests to the demo's server", () => {
    let directory: string;
    let server: DemoServer;
    let client: DemoClient;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "signett-demo-"));
      const [first, second] = [join(directory, "first"), join(directory, "second")];
      await mkdir(join(first, "assets"), { recursive: true });
      await mkdir(second);
      await writeFile(join(directory, "secret.txt"), "secret");
      await writeFile(join(first, "index.html"), "<h1>Orders</h1>");
      await writeFile(join(first, "assets/worker.js"), "onconnect = () => {};");
      await writeFile(join(second, "index.html"), "shadowed");
      await writeFile(join(second, "only here.css"), "a {}");
      server = await startDemoServer(database, [first, second]);
      client = new DemoClient(server.url);
    });

    afterAll(async () => {
      await server.close();
      await rm(directory, { recursive: true });
    });

    afterEach(async () => {
      vi.restoreAllMocks();
      expect(await client.effects()).toEqual({ total: 0, effects: [] });
    });

    /** Sends bytes as they are, for what `fetch` would tidy up. */
    async function sendRaw(text: string): Promise<string> {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      let reply = "";
      socket.setEncoding("utf8").on("data", (data) => {
        reply += data;
      });
      socket.write(text);
      await once(socket, "close");
      return reply;
    }

    const getRaw = (target: string) =>
      sendRaw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

    test("pages come with their type and the headers that protect them", async () => {
      const page = await fetch(`${server.url}/`);
      expect(await page.text()).toBe("<h1>Orders</h1>");
      expect(Object.fromEntries(page.headers)).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
        "content-security-policy": expect.stringContaining("default-src 'none'"),
      });
      const worker = await fetch(`${server.url}/assets/worker.js?v=1`);
      expect(worker.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      expect(await (await fetch(`${server.url}/only%20here.css`)).text()).toBe("a {}");
      expect((await fetch(`${server.url}/`, { method: "HEAD" })).status).toBe(200);
    });

    test("nothing outside the pages can be read", async () => {
      for (const target of [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/..%2f..%2f..%2fsecret.txt",
        "/..%5csecret.txt",
        `//${directory}/secret.txt`,
        `/${directory}/secret.txt`,
        `/%2f${directory}/secret.txt`,
        "/%2e%2e/first",
        "/..",
        "/.",
        "/assets",
        "/assets/",
        "//",
        "*",
        `/${"a".repeat(5_000)}`,
      ]) {
        const reply = await getRaw(target);
        expect(reply, target).toMatch(/^HTTP\/1\.1 404 /);
        expect(reply, target).not.toContain("secret.txt");
      }
      expect(await getRaw("/index.html%00.png")).toMatch(/^HTTP\/1\.1 400 /);
      expect(await getRaw("/%ff")).toMatch(/^HTTP\/1\.1 400 /);
    });

    test("unknown endpoints and wrong methods are told apart", async () => {
      for (const path of ["/api", "/api/", "/api/nothing", "/api/orders/A-1001/cancel/x"]) {
        expect((await client.call(path)).status, path).toBe(404);
      }
      for (const [method, path, allow] of [
        ["POST", "/api/orders", "GET"],
        ["GET", CANCEL, "POST"],
        ["DELETE", "/api/faults", "GET, PUT"],
        ["POST", "/index.html", "GET, HEAD"],
      ] as const) {
        const response = await fetch(`${server.url}${path}`, { method });
        expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
      }
      expect((await client.call("/api/orders/%27%20or%201=1")).body).toMatchObject({
        code: "order_not_found",
      });
    });

    test("a page of another origin cannot change anything", async () => {
      const { host } = new URL(server.url);
      const post = (origin: string) =>
        client.call("/api/reset", { method: "POST", headers: { Origin: origin } });
      for (const origin of [
        "https://evil.example",
        "null",
        "http://localhost:1",
        `http://x.${host}`,
      ]) {
        expect(await post(origin), origin).toMatchObject({
          status: 403,
          body: { code: "cross_origin" },
        });
      }
      expect((await post(server.url)).status).toBe(200);
      const read = await client.call("/api/orders", {
        headers: { Origin: "https://evil.example" },
      });
      expect(read.status).toBe(200);
    });

    test("bodies that are not small JSON objects are refused", async () => {
      const post = async (path: string, body: BodyInit, headers: HeadersInit = JSON_TYPE) => {
        const { status } = await client.call(path, { method: "POST", body, headers });
        return status;
      };
      for (const path of ["/api/reset", "/api/receipts/lookup"]) {
        expect(await post(path, '{"orders":')).toBe(400);
        expect(await post(path, "[".repeat(60_000))).toBe(400);
        expect(await post(path, new Uint8Array([0x22, 0xff, 0x22]))).toBe(400);
        expect(await post(path, "[]")).toBe(400);
        expect(await post(path, "null")).toBe(400);
        expect(await post(path, "{}", { "Content-Type": "text/plain" })).toBe(415);
        expect(await post(path, "{}", { "Content-Type": "application/jsonx" })).toBe(415);
        expect(await post(path, " ".repeat(65_537))).toBe(413);
        expect(await post(path, " ".repeat(3_000_000))).toBe(413);
      }
      expect(await post(CANCEL, " ".repeat(65_537))).toBe(413);
      for (const orders of [0, 1_001, 1.5, "12", null]) {
        expect(await post("/api/reset", JSON.stringify({ orders }))).toBe(400);
      }
    });

    test("the receipts' lookup takes a key and a fence, and nothing else for them", async () => {
      for (const body of [
        {},
        { operationKey: "k" },
        { operationKey: "", throughFence: 1 },
        { operationKey: 1, throughFence: 1 },
        { operationKey: "k".repeat(1_025), throughFence: 1 },
        { operationKey: "a\0b", throughFence: 1 },
        { operationKey: "\ud800", throughFence: 1 },
        { operationKey: "k", throughFence: -1 },
        { operationKey: "k", throughFence: 1.5 },
        { operationKey: "k", throughFence: "1" },
        { operationKey: "k", throughFence: 2 ** 53 },
      ]) {
        const { status } = await client.send("POST", "/api/receipts/lookup", body);
        expect(status, JSON.stringify(body)).toBe(400);
      }
      expect((await client.lookup("k".repeat(1_024), Number.MAX_SAFE_INTEGER)).status).toBe(200);
    });

    test("a key of many bytes is taken as long as the database can index it", async () => {
      const longest = Array.from({ length: 853 }, (_, index) =>
        String.fromCharCode(0x4e00 + index),
      );
      expect((await client.lookup(longest.join(""), 1)).status).toBe(200);
      expect((await client.lookup([...longest, "也"].join(""), 1)).status).toBe(400);
    });

    test("a cancellation without proper headers is refused before anything happens", async () => {
      const good = { "Idempotency-Key": "k", "X-Request-Id": "r" };
      for (const headers of [
        { "X-Request-Id": "r" },
        { "Idempotency-Key": "k" },
        { ...good, "Idempotency-Key": "" },
        { ...good, "Idempotency-Key": "k".repeat(1_025) },
        { ...good, "Idempotency-Key": "%" },
        { ...good, "Idempotency-Key": "%ff" },
        { ...good, "Idempotency-Key": "a%00b" },
        { ...good, "Idempotency-Key": "k\u00e9" },
        { ...good, "X-Request-Id": "two words" },
        { ...good, "X-Request-Id": "r".repeat(201) },
        { ...good, "X-Fence": "" },
        { ...good, "X-Fence": "-1" },
        { ...good, "X-Fence": "1e3" },
        { ...good, "X-Fence": "9007199254740992" },
      ]) {
        const { status } = await client.call(CANCEL, { method: "POST", headers });
        expect(status, JSON.stringify(headers)).toBe(400);
      }
      const twice = await sendRaw(
        `POST ${CANCEL} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Request-Id: r\r\n` +
          "Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 0\r\n\r\n",
      );
      expect(twice).toMatch(/^HTTP\/1\.1 400 /);
    });

    test("a client that breaks off its body or speaks no HTTP harms nobody", async () => {
      const log = vi.spyOn(console, "error");
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      socket.write(`POST ${CANCEL} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"a`);
      await once(socket, "ready");
      socket.destroy();
      expect(await sendRaw("nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
      expect(await client.call("/api/health")).toEqual({ status: 200, body: { ok: true } });
      expect(log).not.toHaveBeenCalled();
    });

    test("a failing database is an internal error that tells the client no details", async () => {
      const log = vi.spyOn(console, "error").mockImplementation(() => {});
      const query = vi.spyOn(database, "query").mockRejectedValueOnce(new Error("disk full"));
      const { status, body } = await client.call("/api/orders");
      expect([status, JSON.stringify(body)]).toEqual([
        500,
        expect.not.stringContaining("disk full"),
      ]);
      expect(query).toHaveBeenCalledOnce();
      expect(log).toHaveBeenCalledOnce();
    });
  });
}
