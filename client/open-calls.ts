import type { ActivityReport } from "../src/contracts.js";
import { isEnd } from "../src/events.js";

/** More calls than this at once are not remembered for those who begin to watch later. */
const MAX_CALLS = 200;

/** What was reported of the calls that run, for those who begin to watch in the middle. */
export class OpenCalls {
  readonly #reports = new Map<string, ActivityReport[]>();
  readonly #ended = new Set<string>();
  #keepEnded = false;

  /** Nobody can have been told yet, so calls that end are remembered too. */
  set keepEnded(keep: boolean) {
    this.#keepEnded = keep;
    if (keep) return;
    for (const id of this.#ended) this.#reports.delete(id);
    this.#ended.clear();
  }

  add(report: ActivityReport): void {
    const { invocationId: id, stage } = report.event;
    const reports = this.#reports.get(id);
    if (!reports) {
      // What does not begin with `started` is no call, or one of too many.
      if (stage === "started" && this.#reports.size < MAX_CALLS) this.#reports.set(id, [report]);
      return;
    }
    const last = reports.at(-1)?.event;
    // What the stage brought later belongs to the event that it began with.
    if (last?.stage === stage) reports.splice(-1, 1, { ...report, event: last });
    else reports.push(report);
    if (!isEnd(stage)) return;
    if (this.#keepEnded) this.#ended.add(id);
    else this.#reports.delete(id);
  }

  /** Everything that is remembered. */
  all(): ActivityReport[] {
    return [...this.#reports.values()].flat();
  }

  /** Everything about the calls that run. */
  running(): ActivityReport[] {
    return this.all().filter(({ event }) => !this.#ended.has(event.invocationId));
  }

  /** The last report of each call that runs. */
  latest(): ActivityReport[] {
    return [...this.#reports.values()].flatMap((reports) => {
      const last = reports.at(-1);
      return last && !this.#ended.has(last.event.invocationId) ? [last] : [];
    });
  }
}
