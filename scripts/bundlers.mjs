// Makes the apps of e2e/bundlers ready to be built: installs the bundlers, by their own lock file, and lays the library
// among them as it is packed.
import { join } from "node:path";
import { unpackInto } from "./pack.mjs";
import { root, runOrExit } from "./run.mjs";

const folder = "e2e/bundlers";
await runOrExit("scripts/install.mjs", [folder]);
await unpackInto(join(root, folder, "node_modules"));
