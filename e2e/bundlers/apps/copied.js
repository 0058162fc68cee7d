import { start } from "./tool.js";

start({
  worker: (name) => new SharedWorker("/signett-worker.js", { type: "module", name }),
});
