import type { Plan, Step } from "./plan.js";
import type { World } from "./world.js";

/** Writes down every step of a life. */
export function tracing(lines: string[]): (world: World) => void {
  return ({ browser }) => {
    const { schedule, database } = browser;
    const hear = schedule.onStep;
    schedule.onStep = (lane, about) => {
      lines.push(`${schedule.steps}  ${lane.name}: ${told(about)}`);
      hear(lane, about);
    };
    const judge = database.onCommit;
    database.onCommit = (changes) => {
      for (const { key, before, after } of changes) {
        lines.push(`      "${key}" ${stateOf(before)} → ${stateOf(after)}`);
      }
      judge(changes);
    };
  };
}

/** A plan in words. */
export function planText({ seed, tabs, scripts, steps }: Plan): string {
  const head = `seed ${seed}, ${tabs} tabs, scripts ${scripts.join(", ")}`;
  return [head, ...steps.map(stepText)].join("\n  ");
}

function stepText({ do: what, after, ...rest }: Step): string {
  const details = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return `after ${after} steps: ${what} ${details.join(", ")}`;
}

interface Message {
  readonly type?: string;
  readonly path?: readonly string[];
  readonly argumentList?: readonly { readonly value: unknown }[];
  readonly value?: { readonly ok?: boolean; readonly value?: unknown; readonly failure?: unknown };
}

/** What a message between a page and a worker says. */
function told(about: unknown): string {
  if (Array.isArray(about)) return about.map(told).join(" + ");
  if (typeof about !== "object" || about === null) return about === undefined ? "" : String(about);
  const { type, path, argumentList, value } = about as Message;
  if (path)
    return `${path.join(".")} ${(argumentList ?? []).map(({ value }) => short(value)).join(", ")}`;
  // The numbers that Comlink gives its messages are random.
  return short(value?.ok ? value.value : (value?.failure ?? type ?? about));
}

const short = (value: unknown): string => (JSON.stringify(value) ?? "").slice(0, 200);

function stateOf(record: Parameters<typeof JSON.stringify>[0]): string {
  return record
    ? short({
        ...record,
        key: undefined,
        tool: undefined,
        createdAt: undefined,
        updatedAt: undefined,
      })
    : "absent";
}
