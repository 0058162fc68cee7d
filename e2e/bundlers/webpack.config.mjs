import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default {
  context: here("apps"),
  entry: { main: "./main.js" },
  output: { path: here("build/webpack"), clean: true },
  devServer: { static: here("apps"), client: false, hot: false },
};
