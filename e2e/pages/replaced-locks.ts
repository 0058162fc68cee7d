export {};

// The package takes the place of native locks only where there are none.
Reflect.deleteProperty(Navigator.prototype, "locks");
await import("navigator.locks");
document.documentElement.dataset.ready = "true";
