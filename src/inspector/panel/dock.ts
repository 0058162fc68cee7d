import { button, el, set } from "./dom.js";

const MIN_HEIGHT = 160;
const STEP = 32;

/** Lets a person size the panel at the bottom of the window, and fold it to its bar. */
export function createDock(host: HTMLElement) {
  let height = Math.round(Math.max(MIN_HEIGHT, innerHeight * 0.42));
  const grip = el("div", {
    class: "grip",
    role: "separator",
    tabindex: "0",
    "aria-orientation": "horizontal",
    "aria-label": "Height of the Inspector",
  });
  const fold = button("Fold", { "aria-expanded": "true" }, () => {
    set(host, { "data-folded": !host.hasAttribute("data-folded") });
    const folded = host.hasAttribute("data-folded");
    set(fold, { "aria-expanded": String(!folded) });
    fold.textContent = folded ? "Unfold" : "Fold";
  });

  function resize(wanted: number): void {
    const most = Math.max(MIN_HEIGHT, innerHeight - 40);
    height = Math.round(Math.min(most, Math.max(MIN_HEIGHT, wanted)));
    host.style.setProperty("--height", `${height}px`);
    set(grip, {
      "aria-valuenow": String(height),
      "aria-valuemin": String(MIN_HEIGHT),
      "aria-valuemax": String(most),
    });
  }

  grip.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowUp") resize(height + STEP);
    if (key === "ArrowDown") resize(height - STEP);
  });
  grip.addEventListener("pointerdown", (event) => {
    grip.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  grip.addEventListener("pointermove", (event) => {
    if (grip.hasPointerCapture(event.pointerId)) resize(innerHeight - event.clientY);
  });
  resize(height);
  return { grip, fold };
}
