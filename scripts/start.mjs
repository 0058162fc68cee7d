// Builds everything, then becomes the demo's server: arguments, signals and exit code are the server's own.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { endWithNpm, root, runOrExit } from "./run.mjs";

const server = join(root, "demo/dist/server.js");

endWithNpm();
await runOrExit("scripts/build.mjs");
process.argv[1] = server;
await import(pathToFileURL(server).href);
