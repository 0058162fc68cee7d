import { DemoApi } from "./sample-application.js";

// The application that the README's sample belongs to, on the demo's server.
Object.assign(globalThis, new DemoApi());
await import("virtual:sample/cancel-order");
document.documentElement.dataset.ready = "true";
