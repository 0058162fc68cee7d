import { fileURLToPath } from "node:url";

/** The packages are installed two folders up. */
const root = fileURLToPath(new URL("../..", import.meta.url));

export default { turbopack: { root }, outputFileTracingRoot: root };
