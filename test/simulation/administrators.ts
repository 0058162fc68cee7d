import { OperationNotInDoubtError } from "../../src/index.js";
import type { OperationInfo, ProfileOperations } from "../../src/operations.js";
import type { VirtualPage } from "../../src/testing/profile/page.js";
import type { Audit, OperationRecord } from "../../stores/records.js";
import { codeOf, isExpected, textOf } from "./ends.js";
import { type AdministrationStep, KEYS, type Key } from "./plan.js";
import { covers } from "./requests.js";
import { Violation } from "./violation.js";
import type { World } from "./world.js";

/** What somebody has asked about the operations as a whole. One whose page has ended has no end. */
interface Inquiry {
  readonly page: VirtualPage;
  ended: boolean;
}

/** Those who purge, review and look at operations. They tell the truth, and judge what they are told. */
export class Administrators {
  readonly #world: World;
  readonly #inquiries: Inquiry[] = [];
  #reviews = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Nobody waits for an answer any more. */
  get done(): boolean {
    return this.#inquiries.every(({ page, ended }) => ended || !page.alive);
  }

  /** Somebody asks in this page. */
  ask(page: VirtualPage, step: AdministrationStep): void {
    const inquiry: Inquiry = { page, ended: false };
    this.#inquiries.push(inquiry);
    page.run(() => {
      this.#ask(page, step)
        .catch((error: unknown) => {
          const isOffline = codeOf(error) === "coordination_unavailable";
          if (!isOffline && !isExpected(error))
            this.#violated(`"${step.do}" ended with ${textOf(error)}.`);
        })
        .finally(() => {
          inquiry.ended = true;
        });
    }, step.do);
  }

  async #ask(page: VirtualPage, step: AdministrationStep): Promise<void> {
    const { operations } = page.profile;
    switch (step.do) {
      case "purge":
        return await this.#purge(operations, step);
      case "review":
        return await this.#review(page, step);
      case "look":
        return await this.#look(operations, step.limit);
      default:
        return step satisfies never;
    }
  }

  async #purge(
    operations: ProfileOperations,
    { keys, inDoubt }: Extract<AdministrationStep, { do: "purge" }>,
  ): Promise<void> {
    const target = keys === "all" ? { prefix: "" } : { key: keys };
    const { ledger, browser, commits } = this.#world;
    const begun = browser.schedule.steps;
    const { live } = await operations.purge(target, { inDoubt });
    for (const key of KEYS) {
      if (!covers({ after: undefined, ...target }, key)) continue;
      ledger.isGone(key, browser.schedule.steps);
      const isDone = commits.history.some(key, begun, (record) => isPurged(record, inDoubt));
      if (!isDone) this.#violated(`A purge left what is stored for "${key}".`);
    }
    for (const key of live) {
      if (commits.history.some(key, begun, isMarked)) continue;
      this.#violated(`A purge named a claim of "${key}" that was not purged.`);
    }
  }

  /** Asks the authority first, which refuses from then on whatever it was not sent yet. */
  async #review(
    { profile: { operations }, surroundings }: VirtualPage,
    { key, thinksMs }: Extract<AdministrationStep, { do: "review" }>,
  ): Promise<void> {
    const { ledger, transitions, browser, commits } = this.#world;
    const begun = browser.schedule.steps;
    const found = await operations.get(key);
    if (!found) return;
    const { fence } = found;
    const output = ledger.askByKey(key, fence, fence);
    if (thinksMs > 0) {
      await new Promise<void>((resolve) => surroundings.clock.after(thinksMs, resolve));
    }
    const label = `review ${++this.#reviews}`;
    try {
      await operations.resolve(
        key,
        output ? { outcome: "completed", output } : { outcome: "not_applied" },
        { label, fence },
      );
    } catch (error) {
      if (!(error instanceof OperationNotInDoubtError)) throw error;
      if (auditOf(browser.database.contents.records.get(key))?.label === label) {
        this.#violated(`A review of "${key}" was refused that had been made.`);
      }
      if (error.found === "claimed") transitions.push("claim → review refused");
      return;
    }
    const isDone = commits.history.some(key, begun, (record) => auditOf(record)?.label === label);
    if (!isDone) this.#violated(`A review of "${key}" was lost.`);
  }

  async #look(operations: ProfileOperations, limit: number): Promise<void> {
    const begun = this.#world.browser.schedule.steps;
    const listed = new Map<string, OperationInfo>();
    let cursor: string | undefined;
    do {
      const page = await operations.list({ limit, cursor });
      for (const told of page.operations) listed.set(told.key, told);
      cursor = page.cursor;
    } while (cursor !== undefined);
    for (const key of KEYS) this.#judgeTold(key, begun, listed.get(key));
    for (const key of KEYS) {
      const begun = this.#world.browser.schedule.steps;
      this.#judgeTold(key, begun, await operations.get(key));
    }
  }

  #judgeTold(key: Key, begun: number, told: OperationInfo | undefined): void {
    const { commits } = this.#world;
    if (!commits.history.couldTell(key, begun, told)) {
      this.#violated(`It was told of "${key}" what never was: ${JSON.stringify(told)}.`);
    }
    // An owner's id is never used again.
    if (told?.owner && !told.owner.alive && this.#world.isAlive(told.owner.id)) {
      this.#violated(`A live owner of "${key}" was taken for dead.`);
    }
  }

  #violated(what: string): void {
    this.#world.violation ??= new Violation(what);
  }
}

const auditOf = (record: OperationRecord | undefined): Audit | undefined =>
  record && "audit" in record ? record.audit : undefined;

const isMarked = (record: OperationRecord | undefined): boolean =>
  record?.state === "claimed" && record.purged === true;

/** A purge leaves this as it is. */
const isPurged = (record: OperationRecord | undefined, inDoubt: boolean): boolean =>
  record === undefined ||
  record.state === "purged" ||
  isMarked(record) ||
  (record.state === "in_doubt" && !inDoubt);
