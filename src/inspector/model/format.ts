/** A span of time as a developer reads it, from milliseconds. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
  const hours = Math.round(ms / 3_600_000);
  return `${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

/** How long ago, coarsely, so that a list does not tick all the time. */
export function age(ms: number): string {
  if (ms < 1_000) return "now";
  if (ms < 60_000) return `${Math.floor(ms / 1_000)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h`;
  return `${Math.floor(ms / 86_400_000)} d`;
}

/** The local time of day, from epoch milliseconds. */
export function timeOfDay(epoch: number): string {
  const date = new Date(epoch);
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const ms = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${ms}`;
}

/** Local date and time, from epoch milliseconds. */
export function moment(epoch: number): string {
  const date = new Date(epoch);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${timeOfDay(epoch)}`;
}

const UNITS = ["B", "kB", "MB", "GB"] as const;

/** A size in decimal units. */
export function bytes(count: number): string {
  let value = count;
  let unit: (typeof UNITS)[number] = "B";
  for (const next of UNITS) {
    unit = next;
    if (value < 1_000 || next === "GB") break;
    value /= 1_000;
  }
  return `${unit === "B" || value >= 100 ? Math.round(value) : value.toFixed(1)} ${unit}`;
}

const two = (value: number) => String(value).padStart(2, "0");
