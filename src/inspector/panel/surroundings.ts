import { type Clock, systemClock } from "../../clock.js";

/** Time and frames, as the page has them. Nothing else in the panel reads it. */
export interface Surroundings extends Clock {
  /** Runs `draw` before the next paint. What it returns cancels that. */
  frame(draw: () => void): () => void;
}

/** This page's. */
export const pageSurroundings: Surroundings = {
  ...systemClock,
  frame(draw) {
    const id = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(id);
  },
};
