import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "tsup";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DemoClient } from "./demo-server.js";

interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe("the demo's command line", () => {
  const running = new Set<ChildProcess>();
  let bundle: string;
  let data: string;

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "signett-demo-"));
    // Beside the packages, so that the bundle finds the database's.
    bundle = await mkdtemp(resolve("node_modules/.signett-demo-"));
    await build({
      config: false,
      entry: ["demo/server/main.ts"],
      external: ["@electric-sql/pglite"],
      format: "esm",
      outDir: bundle,
      platform: "node",
      silent: true,
      target: "node20",
    });
  }, 30_000);

  afterEach(() => {
    for (const child of running) child.kill("SIGKILL");
  });

  afterAll(async () => {
    await rm(bundle, { recursive: true });
    await rm(data, { recursive: true });
  });

  function run(...args: string[]) {
    const child = spawn(process.execPath, [join(bundle, "main.js"), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    const exit = Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]).then(
      ([[code], stdout, stderr]): Exit => {
        running.delete(child);
        return { code, stdout, stderr };
      },
    );
    return { child, exit };
  }

  async function start() {
    const { child, exit } = run("--port", "0", "--data", data);
    const printed = once(child.stdout, "data").then(([chunk]) => String(chunk));
    const ended = exit.then(({ stderr }) => Promise.reject(new Error(stderr)));
    const line = await Promise.race([printed, ended]);
    const url = /^Signett demo: (http:\/\/localhost:\d+)\/\n$/.exec(line)?.[1];
    if (url === undefined) throw new Error(`Not an address: ${line}`);
    return { child, exit, client: new DemoClient(url.replace("localhost", "127.0.0.1")) };
  }

  test("what was cancelled is still there after a clean stop, and after a kill", async () => {
    const first = await start();
    expect((await first.client.cancel("A-1001", "k", { request: "r1" })).status).toBe(200);
    await first.client.setFaults({ answers: "held" });
    const held = expect(first.client.cancel("A-1002", "k2")).rejects.toThrow();
    await expect.poll(() => first.client.faults()).toMatchObject({ holding: 1 });
    first.child.kill("SIGTERM");
    await held;
    expect(await first.exit).toMatchObject({ code: 0, stderr: "" });
    await expect(readFile(join(data, "server.pid"))).rejects.toThrow("ENOENT");

    const second = await start();
    expect((await second.client.effects()).total).toBe(2);
    expect((await second.client.cancel("A-1001", "k", { request: "r1" })).status).toBe(200);
    expect((await second.client.cancel("A-1003", "k3", { request: "r3" })).status).toBe(200);
    second.child.kill("SIGKILL");
    await second.exit;

    const third = await start();
    expect((await third.client.effects()).total).toBe(3);
    third.child.kill("SIGINT");
    expect(await third.exit).toMatchObject({ code: 0, stderr: "" });
  }, 60_000);

  test("a data directory in use is refused, before its database is touched", async () => {
    await writeFile(join(data, "server.pid"), `${process.pid}\n`);
    const { code, stdout, stderr } = await run("--port", "0", "--data", data).exit;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^.+ is in use by process \d+\. Stop that demo, .+\n$/);
    await rm(join(data, "server.pid"));
  }, 30_000);

  test("a port in use is one line that says what to do", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    expect(await run("--port", port, "--data", data).exit).toEqual({
      code: 1,
      stdout: "",
      stderr: `Port ${port} is in use. Choose another one with --port, or --port 0 for any.\n`,
    });
    other.close();
  }, 30_000);

  test("a damaged database is one line that says what to do", async () => {
    await truncate(join(data, "database/global/pg_control"), 0);
    const { code, stdout, stderr } = await run("--port", "0", "--data", data).exit;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^The database in .+ cannot be opened .+ Delete that directory .+\n$/);
  }, 30_000);

  test("a command line that makes no sense is one line that says how to use it", async () => {
    for (const args of [["--port", "x"], ["--port", "65536"], ["--prt", "1"], ["extra"]]) {
      const { code, stderr } = await run(...args).exit;
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^.+\. Usage: .+\n$/)]);
    }
  }, 30_000);
});
