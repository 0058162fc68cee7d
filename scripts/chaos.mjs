// Faults of all kinds in real tabs at once, on the built demo: `npm run chaos -- --seconds 60 --tabs 8 --seed 1`.
import { runProgram } from "./program.mjs";

await runProgram("e2e/chaos");
