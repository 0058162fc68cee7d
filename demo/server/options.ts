import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "./start-error.js";

export interface Options {
  /** 0 means any free one. */
  readonly port: number;
  readonly data: string;
  readonly pages: readonly string[];
}

const DEFAULT_PORT = "4310";
const USAGE = "Usage: server.js [--port N] [--data DIR] [--pages DIR]...";

/**
 * Reads the command line.
 *
 * @throws {StartError} if it says something that the server does not understand.
 */
export function readOptions(args: readonly string[], packageRoot: string): Options {
  const { port, data, pages } = parse(args);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new StartError(`--port must be a number from 0 to 65535, not "${port}". ${USAGE}`);
  }
  return {
    port: Number(port),
    data: resolve(data ?? join(packageRoot, "demo/.data")),
    pages: (pages ?? [join(packageRoot, "demo/dist/page")]).map((directory) => resolve(directory)),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: "string", default: DEFAULT_PORT },
        data: { type: "string" },
        pages: { type: "string", multiple: true },
      },
    }).values;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`${reason.replace(/\.?$/, ".")} ${USAGE}`, { cause });
  }
}
