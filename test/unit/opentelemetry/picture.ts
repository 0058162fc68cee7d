/** One line of the span in the docs: what it is, and when, in seconds from its start. */
export interface Line {
  readonly name: string;
  readonly at: number;
}

const WIDTH = 720;
const LEFT = 230;
const RIGHT = 80;
const ROW = 26;

/** Grey reads on a light and on a dark page. */
const GREY = "#80868f";
const BLUE = "#2f6fde";

/** Draws a span as a bar, and its events below it, each at its time. */
export function pictureOf(span: Line, events: readonly Line[]): string {
  const x = (at: number) => Math.round(LEFT + (at / span.at) * (WIDTH - LEFT - RIGHT));
  const y = (row: number) => 30 + row * ROW;
  const label = (row: number, text: string, weight = 400) =>
    `<text x="12" y="${y(row) + 4}" font-weight="${weight}">${text}</text>`;
  const rows = events.map(({ name, at }, index) =>
    [
      label(index + 1, name),
      `<line x1="${LEFT}" y1="${y(index + 1)}" x2="${x(at)}" y2="${y(index + 1)}" stroke="${GREY}" stroke-opacity="0.3"/>`,
      `<circle cx="${x(at)}" cy="${y(index + 1)}" r="4" fill="${BLUE}"/>`,
      `<text x="${x(at) + 10}" y="${y(index + 1) + 4}">${at.toFixed(3)}</text>`,
    ].join(""),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y(events.length) + 24}" font-family="system-ui, sans-serif" font-size="13" fill="${GREY}">`,
    label(0, span.name, 600),
    `<rect x="${LEFT}" y="${y(0) - 7}" width="${x(span.at) - LEFT}" height="14" rx="3" fill="${BLUE}"/>`,
    `<text x="${x(span.at) + 8}" y="${y(0) + 4}">${span.at.toFixed(3)} s</text>`,
    ...rows,
    "</svg>\n",
  ].join("\n");
}
