import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The built demo's server, with a database of its own. */
export interface RunningServer {
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startServer(): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), "signett-chaos-"));
  const args = ["demo/dist/server.js", "--port", "0", "--data", folder];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  // It must not outlive this process, however that ends.
  process.once("exit", () => child.kill());
  return {
    origin: await addressOf(child),
    async stop() {
      const ended = once(child, "close");
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Its first line tells it. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("The demo's server has no output.");
  for await (const line of createInterface(stdout)) {
    const [address] = /http:\/\/localhost:\d+/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error("The demo's server did not start.");
}
