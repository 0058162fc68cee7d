import { injectIntoGlobalHook } from "react-refresh/runtime";

// React looks for it once, when it is loaded: import this first.
injectIntoGlobalHook(globalThis);
