// Measures what coordination costs, against the platform and against tabs without a worker; see docs/performance.md.
import { buildLibrary } from "./library.mjs";
import { runProgram } from "./program.mjs";

await runProgram("bench", buildLibrary);
