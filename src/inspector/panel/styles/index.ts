import { base } from "./base.js";
import { calls } from "./calls.js";
import { controls } from "./controls.js";
import { frame } from "./frame.js";
import { grid } from "./grid.js";
import { keys } from "./keys.js";
import { tools } from "./tools.js";

/** Constructed sheets: a policy without inline styles allows them. */
export function styleSheets(): CSSStyleSheet[] {
  return [base, frame, controls, grid, calls, tools, keys].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
}
