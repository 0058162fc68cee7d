import commonjs from "@rollup/plugin-commonjs";
import json from "@rollup/plugin-json";
import resolve from "@rollup/plugin-node-resolve";

export default {
  input: { main: "apps/copied.js" },
  output: { dir: "build/rollup", format: "es" },
  plugins: [resolve({ browser: true }), commonjs(), json()],
};
