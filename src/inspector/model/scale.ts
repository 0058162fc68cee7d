/** From and to, in epoch milliseconds. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A stretch without any call, which takes little room however long it was. */
export interface Fold {
  /** Its middle, from 0 to 1. */
  readonly x: number;
  readonly ms: number;
}

/** A label of the axis. */
export interface Tick {
  readonly x: number;
  /** The first of its stretch, to be shown as a time of day; others are offsets from that. */
  readonly start: boolean;
  /** Epoch milliseconds, or milliseconds since the stretch began. */
  readonly value: number;
}

/** Where moments lie on an axis that is 1 wide. */
export interface Scale {
  at(time: number): number;
  readonly folds: readonly Fold[];
  readonly ticks: readonly Tick[];
}

interface Piece extends Interval {
  readonly x: number;
  readonly width: number;
}

const FOLD_WIDTH = 0.03;
const FOLDS_WIDTH = 0.4;
/** A pause is folded if it is longer than this share of the time in which something ran, and than this. */
const FOLD_SHARE = 0.25;
const FOLD_MS = 100;

/** A scale over all intervals in which idle time is folded, so that calls of a whole day stay readable. */
export function createScale(intervals: readonly Interval[], minTick = 0.12): Scale {
  const busy = merged(intervals);
  const total = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const stretches = joined(busy, Math.max(FOLD_MS, total * FOLD_SHARE));
  const pieces = placed(stretches);
  return {
    at: (time) => position(pieces, time),
    folds: foldsOf(pieces),
    ticks: ticksOf(pieces, minTick),
  };
}

function foldsOf(pieces: readonly Piece[]): readonly Fold[] {
  const folds: Fold[] = [];
  let before: Piece | undefined;
  for (const piece of pieces) {
    if (before) {
      const x = (before.x + before.width + piece.x) / 2;
      folds.push({ x, ms: piece.from - before.to });
    }
    before = piece;
  }
  return folds;
}

/** Overlapping intervals become one. */
function merged(intervals: readonly Interval[]): readonly Interval[] {
  return joined(
    [...intervals].sort((a, b) => a.from - b.from),
    0,
  );
}

/** Sorted intervals become one where the pause between them is no longer than `pause`. */
function joined(sorted: readonly Interval[], pause: number): readonly Interval[] {
  const result: Interval[] = [];
  for (const { from, to } of sorted) {
    const last = result.at(-1);
    if (last && from - last.to <= pause) {
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    } else {
      result.push({ from, to });
    }
  }
  return result;
}

function placed(stretches: readonly Interval[]): readonly Piece[] {
  const gaps = Math.max(0, stretches.length - 1);
  const gap = gaps === 0 ? 0 : Math.min(FOLD_WIDTH, FOLDS_WIDTH / gaps);
  const total = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  let x = 0;
  return stretches.map(({ from, to }) => {
    const room = 1 - gap * gaps;
    const width = total === 0 ? room / stretches.length : (room * (to - from)) / total;
    const piece = { from, to, x, width };
    x += width + gap;
    return piece;
  });
}

function position(pieces: readonly Piece[], time: number): number {
  let before = 0;
  for (const { from, to, x, width } of pieces) {
    if (time < from) return (before + x) / 2;
    if (time <= to) return to === from ? x : x + (width * (time - from)) / (to - from);
    before = x + width;
  }
  return before;
}

function ticksOf(pieces: readonly Piece[], minTick: number): readonly Tick[] {
  const ticks: Tick[] = [];
  let free = 0;
  for (const { from, to, x, width } of pieces) {
    if (x < free) continue;
    ticks.push({ x, start: true, value: from });
    free = x + minTick * 1.5;
    // Steps are wide enough to need no look at each other.
    const start = free;
    const step = niceStep(((to - from) / width) * minTick);
    for (let offset = step; offset < to - from; offset += step) {
      const place = x + (width * offset) / (to - from);
      if (place < start || place > 1 - minTick) continue;
      ticks.push({ x: place, start: false, value: offset });
      free = place + minTick;
    }
  }
  return ticks;
}

/** 1, 2 or 5 times a power of ten, at least `ms` and 1. */
function niceStep(ms: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, ms)));
  const factor = [1, 2, 5].find((one) => one * power >= ms) ?? 10;
  return factor * power;
}
