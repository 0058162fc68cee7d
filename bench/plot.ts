import type { Curve } from "./curves.js";

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 70;
const RIGHT = 110;
const TOP = 44;
const BOTTOM = 50;
/** How far apart two labels are at least. */
const LINE = 14;

/** Readable on a light and on a dark page. */
const COLOURS = ["#2f6fde", "#c2571a", "#2b8a5b"];
const GREY = "#80868f";

/** A plot with logarithmic axes, as an SVG file. */
export function plotOf({ title, x, y, lines }: Curve): string {
  const points = Object.values(lines).flat();
  const across = scale(
    points.map((point) => point.x),
    LEFT,
    WIDTH - RIGHT,
  );
  const heights = points.map((point) => point.y);
  const up = scale([...heights, ...stepsAround(heights)], HEIGHT - BOTTOM, TOP);
  const labels = labelHeights(Object.values(lines).map((line) => up.at(line.at(-1)?.y ?? 1)));
  const grid = [
    ...across.ticks.map(
      ({ at, label }) =>
        tick(at, HEIGHT - BOTTOM, at, TOP) + text(at, HEIGHT - BOTTOM + 18, label, "middle"),
    ),
    ...up.ticks.map(
      ({ at, label }) => tick(LEFT, at, WIDTH - RIGHT, at) + text(LEFT - 8, at + 4, label, "end"),
    ),
  ];
  const drawn = Object.entries(lines).map(([name, line], index) => {
    const colour = COLOURS[index % COLOURS.length] ?? GREY;
    const path = line.map((point) => `${across.at(point.x)},${up.at(point.y)}`).join(" ");
    const dots = line.map(
      (point) =>
        `<circle cx="${across.at(point.x)}" cy="${up.at(point.y)}" r="3.5" fill="${colour}"/>`,
    );
    const last = line.at(-1);
    const label = last
      ? text(across.at(last.x) + 10, (labels[index] ?? TOP) + 4, name, "start", colour)
      : "";
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}${label}`;
  });
  const captions = [
    text(LEFT, 22, `${title} (${y})`, "start"),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x, "middle"),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">`,
    ...[...grid, ...drawn, ...captions],
    "</svg>\n",
  ].join("\n");
}

/** Where labels go that want to be at these heights: none on top of another. */
function labelHeights(wanted: readonly number[]): number[] {
  const given: number[] = [];
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  let free = 0;
  for (const index of order) {
    const height = Math.max(wanted[index] ?? 0, free);
    given[index] = height;
    free = height + LINE;
  }
  return given;
}

interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

/** Maps the values onto a line, a factor of ten as far as the next; ticks are 1, 2 and 5 times a power of ten. */
function scale(values: readonly number[], from: number, to: number): Scale {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const share = (value: number) =>
    high === low ? 0.5 : Math.log(value / low) / Math.log(high / low);
  const at = (value: number) => Math.round((from + share(value) * (to - from)) * 10) / 10;
  const ticks = stepsOf(high / low > 1_000 ? [1] : [1, 2, 5])
    .filter((value) => value >= low * 0.999 && value <= high * 1.001)
    .map((value) => ({ at: at(value), label: new Intl.NumberFormat("en").format(value) }));
  return { at, ticks };
}

/** Those steps, times every power of ten that matters. */
const stepsOf = (steps: readonly number[]): number[] =>
  Array.from({ length: 20 }, (_, i) => 10 ** (i - 6)).flatMap((power) =>
    steps.map((step) => step * power),
  );

/** The next steps below and above all values, so that an axis has a tick at each end. */
function stepsAround(values: readonly number[]): number[] {
  const steps = stepsOf([1, 2, 5]);
  const below = steps.filter((step) => step <= Math.min(...values)).at(-1);
  const above = steps.find((step) => step >= Math.max(...values));
  return [below, above].filter((step) => step !== undefined);
}

const tick = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${GREY}" stroke-opacity="0.25"/>`;

const text = (x: number, y: number, value: string, anchor: string, colour = GREY): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${value}</text>`;
