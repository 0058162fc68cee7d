import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

/** The folder that has the apps and the bundlers. */
export const folder = fileURLToPath(new URL(".", import.meta.url));

/** Something that serves an app. */
export interface Serving {
  readonly url: string;
  stop(): Promise<void>;
}

/** A command of an installed package, by its file in `node_modules`, and its arguments. */
export type Command = readonly [file: string, ...args: string[]];

/** Runs a command to its end. */
export async function run(command: Command): Promise<void> {
  const child = start(command);
  const output = recorded(child);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${output()}`);
}

/** Starts a server that is told its port, and waits until it says that it is ready. */
export async function serving(command: (port: string) => Command, ready: RegExp): Promise<Serving> {
  const port = await freePort();
  const child = start(command(String(port)));
  const output = recorded(child);
  const closed = once(child, "close");
  await new Promise<void>((resolve, reject) => {
    const look = () => ready.test(output()) && resolve();
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    closed.then(() => reject(new Error(`The server ended:\n${output()}`)), reject);
  });
  return {
    url: `http://localhost:${port}`,
    async stop() {
      child.kill();
      await closed;
    },
  };
}

function start([file, ...args]: Command): ChildProcess {
  return spawn(`./node_modules/${file}`, args, {
    cwd: folder,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1", FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function recorded({ stdout, stderr }: ChildProcess): () => string {
  let text = "";
  for (const stream of [stdout, stderr]) {
    stream?.on("data", (chunk) => {
      text += chunk;
    });
  }
  return () => text;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address === "string" || !address) throw new Error("No port is free.");
  return address.port;
}
