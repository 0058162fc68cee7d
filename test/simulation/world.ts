import { VirtualBrowser } from "../../src/testing/profile/browser.js";
import type { Change } from "../../src/testing/profile/contents.js";
import type { Moment } from "../../src/testing/profile/database.js";
import { VirtualPage } from "../../src/testing/profile/page.js";
import { VirtualWorkers } from "../../src/testing/profile/worker.js";
import { namesOf } from "../../worker/names.js";
import { Application, type Call } from "./application.js";
import { Claims, type KnownClaim } from "./claims.js";
import { Entries } from "./entries.js";
import { Ledger } from "./ledger.js";
import type { CallStep, Plan } from "./plan.js";
import { judge, type Transition } from "./transitions.js";
import { Violation } from "./violation.js";

const NAMESPACE = "shop";
const names = namesOf(NAMESPACE);

/** Where storage will fail. */
export interface StorageFault {
  readonly moment: Moment;
  readonly error: DOMException;
  skip: number;
  times: number;
}

/** A browser profile, its application, and everything that is watched while it lives. */
export class World {
  readonly browser: VirtualBrowser;
  readonly workers: VirtualWorkers;
  readonly claims = new Claims();
  readonly ledger = new Ledger((what) => {
    this.violation ??= new Violation(what);
  });
  readonly calls: Call[] = [];
  readonly transitions: Transition[] = [];
  readonly storageFaults: StorageFault[] = [];
  /** When a key was last settled, by the time that has passed. */
  readonly settledAt = new Map<string, number>();
  /** When the last fault was. */
  disturbedAt = 0;
  faults = 0;
  violation: Violation | undefined;
  readonly hang: Plan["hang"];
  #pages: VirtualPage[] = [];
  readonly #bereft = new Set<VirtualPage>();
  /** The pages that have ever been in the cache, by their names. */
  readonly #cached = new Set<string>();
  readonly #entries = new Entries();
  readonly #scripts: Plan["scripts"];
  readonly #application: Application;
  #opened = 0;
  readonly #fences = new Set<number>();
  #lastFence = 0;
  /** The latest that a clock has shown. */
  #latest = 0;

  constructor({ seed, tabs, scripts, hang }: Plan) {
    this.browser = new VirtualBrowser(seed);
    this.workers = new VirtualWorkers(this.browser);
    this.#scripts = scripts;
    this.hang = hang;
    this.#application = new Application({
      ledger: this.ledger,
      claims: this.claims,
      bereft: (page) => this.#bereft.has(page),
      replayed: (call) => this.#replayed(call),
    });
    const { database, schedule } = this.browser;
    schedule.onStep = (_lane, about) => this.claims.hear(about);
    database.fault = (moment) => this.#storageFault(moment);
    database.onCommit = (changes) => {
      const last = this.#lastFence;
      for (const change of changes) this.#judge(change, last);
      this.#entries.judge(changes, database.contents);
    };
    this.#pages = Array.from({ length: tabs }, (_, index) => this.open(index));
  }

  /** A page, by the number of its tab. */
  page(tab: number): VirtualPage | undefined {
    return this.#pages[tab];
  }

  get livePages(): VirtualPage[] {
    return this.#pages.filter(({ alive }) => alive);
  }

  /** Nobody can be expected to go on: a page stands still, or whoever has the database does. */
  get stopped(): boolean {
    const pages = this.#pages.map(({ surroundings }) => surroundings.process);
    const processes = [...pages, this.browser.database.user];
    return processes.some((process) => process?.state === "stopped");
  }

  /** Opens a new page; one with the number of a tab is not yet its page. */
  open(index: number): VirtualPage {
    return new VirtualPage(this.browser, {
      name: `page ${++this.#opened}`,
      namespace: NAMESPACE,
      script: this.#scripts[index % this.#scripts.length] ?? undefined,
      workers: this.workers,
    });
  }

  /** Before a clock is set back, too. */
  lookAtClock(): void {
    this.#latest = Math.max(this.#latest, this.browser.time.now);
  }

  /** A fault has happened. */
  disturb(): void {
    this.faults += 1;
    this.disturbedAt = this.browser.time.elapsed;
  }

  replace(tab: number): void {
    this.#pages[tab]?.end();
    this.#pages[tab] = this.open(tab);
  }

  /** Answers whether the page was a tab's. */
  reload(page: VirtualPage): boolean {
    const tab = this.#pages.indexOf(page);
    if (tab >= 0) this.replace(tab);
    return tab >= 0;
  }

  cache(page: VirtualPage, locks: "kept" | "taken"): void {
    page.enterCache({ takesLocks: locks === "taken" });
    this.#cached.add(page.surroundings.process.name);
    if (locks === "taken") this.#bereft.add(page);
  }

  comeBack(page: VirtualPage): void {
    page.leaveCache();
    this.#bereft.delete(page);
  }

  /** Everything ends at once, and what was not on the disk is lost. The tabs are opened again. */
  cutPower(): void {
    for (const page of this.#pages) page.end();
    this.workers.kill();
    this.browser.database.cutPower();
    for (const tab of this.#pages.keys()) this.#pages[tab] = this.open(tab);
  }

  /** Calls the tool. */
  call(page: VirtualPage, step: CallStep): Call {
    const caller = new AbortController();
    const { faults } = this;
    const call: Call = { step, page, caller, faults, fences: new Set(), end: undefined };
    this.calls.push(call);
    page.run(() => {
      this.#application.call(call).then(
        (value) => {
          call.end = { value };
        },
        (error: unknown) => {
          call.end = { error };
        },
      );
    }, `call of "${step.key}"`);
    return call;
  }

  /** A claim's owner holds its lock. Who waits for its death holds it `shared`, for a moment. */
  isAlive(owner: string): boolean {
    const { held } = this.browser.lockInfo();
    return held.some(({ name, mode }) => name === names.client(owner) && mode === "exclusive");
  }

  /** Its tab goes on in the belief that it has the claim. */
  #isInHand(claim: KnownClaim): boolean {
    const { page, lost, givenUp } = claim;
    return page.alive && !this.#bereft.has(page) && lost?.aborted !== true && !givenUp;
  }

  /** The call's page could hold its lock all the time. */
  #wasAwake(call: string): boolean {
    const [page = ""] = call.split(".");
    return !this.#cached.has(page);
  }

  #replayed({ step: { key }, fences }: Call): void {
    this.transitions.push("completed → replayed");
    const record = this.browser.database.contents.records.get(key);
    if (record?.state !== "completed" || !fences.has(record.fence)) return;
    this.violation ??= new Violation(
      `A caller of "${key}" was told that its own output was another's.`,
    );
  }

  /** @param lastFence The highest fence that was given before this commit. */
  #judge(change: Change, lastFence: number): void {
    const { key, after } = change;
    const before = this.#expires(change) ? undefined : change.before;
    const fence = before?.state === "claimed" ? before.fence : undefined;
    const claim = this.claims.get(fence);
    const transitions = judge(
      { before, after },
      {
        claim,
        undone: before?.state === "claimed" && !claim && this.claims.isFrozen(before.owner),
        asked: (what) => fence !== undefined && this.claims.wasAsked(fence, what),
        alive:
          before?.state === "claimed" &&
          (this.isAlive(before.owner) || (claim !== undefined && this.#isInHand(claim))),
        wasAwake: (call) => this.#wasAwake(call),
        isNewFence: (fence) => fence > lastFence && !this.#fences.has(fence),
        effects: this.ledger.effects(key),
      },
    );
    if (after?.state === "claimed") this.#fences.add(after.fence);
    this.#lastFence = Math.max(this.#lastFence, after?.fence ?? 0);
    this.transitions.push(...transitions);
    if (after?.state !== "claimed") this.settledAt.set(key, this.browser.time.elapsed);
  }

  /** The change begins with the end of an answer that has been kept long enough, by whatever clocks have shown. */
  #expires({ key, before, after }: Change): boolean {
    this.lookAtClock();
    if (before?.state !== "completed" || after?.state === "completed") return false;
    if ((before.expiresAt ?? Number.POSITIVE_INFINITY) > this.#latest) return false;
    this.ledger.forget(key);
    this.transitions.push("completed → absent, expired");
    return true;
  }

  #storageFault(moment: Moment): DOMException | undefined {
    const fault = this.storageFaults.find((other) => other.moment === moment && other.times > 0);
    if (!fault) return undefined;
    if (fault.skip > 0) {
      fault.skip -= 1;
      return undefined;
    }
    fault.times -= 1;
    this.disturb();
    return fault.error;
  }
}
