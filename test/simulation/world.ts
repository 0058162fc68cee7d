import { VirtualBrowser } from "../../src/testing/profile/browser.js";
import { VirtualPage } from "../../src/testing/profile/page.js";
import { VirtualWorkers } from "../../src/testing/profile/worker.js";
import { namesOf } from "../../worker/names.js";
import { Administrators } from "./administrators.js";
import { Application, type Call } from "./application.js";
import { Callers } from "./callers.js";
import { Claims, type KnownClaim } from "./claims.js";
import { codecOf } from "./codec.js";
import { Commits } from "./commits.js";
import { Entries } from "./entries.js";
import { Ledger } from "./ledger.js";
import type { CallStep, Plan } from "./plan.js";
import { Requests } from "./requests.js";
import { StorageFaults } from "./storage-faults.js";
import type { Transition } from "./transitions.js";
import { must, Violation } from "./violation.js";

const NAMESPACE = "shop";
const names = namesOf(NAMESPACE);

/** A browser profile, its application, and everything that is watched while it lives. */
export class World {
  readonly browser: VirtualBrowser;
  readonly workers: VirtualWorkers;
  readonly claims = new Claims({
    granted: (call, fence) => this.#granted(call, fence),
    step: () => this.browser.schedule.steps,
  });
  readonly requests = new Requests();
  readonly administrators = new Administrators(this);
  readonly callers = new Callers();
  readonly ledger = new Ledger((what) => {
    this.violation ??= new Violation(what);
  });
  readonly calls: Call[] = [];
  readonly transitions: Transition[] = [];
  readonly storageFaults = new StorageFaults(() => this.disturb());
  /** When a key was last settled, by the time that has passed. */
  readonly settledAt = new Map<string, number>();
  /** When the last fault was. */
  disturbedAt = 0;
  faults = 0;
  violation: Violation | undefined;
  readonly hang: Plan["hang"];
  #pages: VirtualPage[] = [];
  readonly #bereft = new Set<VirtualPage>();
  /** The pages that have ever been in the cache. */
  readonly #cached = new Set<VirtualPage>();
  readonly #entries = new Entries();
  readonly commits: Commits;
  readonly #plan: Plan;
  readonly #application: Application;
  /** All pages, by their names. */
  readonly #opened = new Map<string, VirtualPage>();

  constructor(plan: Plan) {
    this.browser = new VirtualBrowser(plan.seed);
    this.workers = new VirtualWorkers(this.browser);
    this.#plan = plan;
    this.hang = plan.hang;
    this.commits = new Commits(this, plan);
    this.#application = new Application({
      ledger: this.ledger,
      claims: this.claims,
      bereft: (page) => this.#bereft.has(page),
      replayed: (call) => this.#replayed(call),
    });
    const { database, schedule } = this.browser;
    schedule.onStep = (lane, about) => {
      // What was posted in one moment travels together.
      for (const message of Array.isArray(about) ? about : [about]) {
        this.requests.hear(lane.name, message);
        this.callers.hear(message);
      }
    };
    database.fault = (moment) => this.storageFaults.at(moment);
    database.onCommit = (changes) => {
      this.commits.judge(changes);
      this.#entries.judge(changes, database.contents);
    };
    this.#pages = Array.from({ length: plan.tabs }, (_, index) => this.open(index));
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
    const { scripts, profiles } = this.#plan;
    const name = `page ${this.#opened.size + 1}`;
    const profile = profiles[index % profiles.length];
    const turn = () => new Promise<void>((resolve) => page.run(resolve, "the codec goes on"));
    const page = new VirtualPage(this.browser, {
      name,
      namespace: NAMESPACE,
      script: scripts[index % scripts.length] ?? undefined,
      terms: profile,
      codec: codecOf(profile?.codec ?? "none", turn),
      workers: this.workers,
    });
    this.#opened.set(name, page);
    return page;
  }

  /** Before a clock is set back, too. */
  lookAtClock(): void {
    this.commits.lookAtClock();
  }

  /** A fault has happened. */
  disturb(): void {
    this.faults += 1;
    this.disturbedAt = this.browser.time.elapsed;
  }

  /** Nothing is on its way until then, by the time that has passed. */
  rest(until: number): void {
    if (this.stopped || this.workers.running.some(({ hangs }) => hangs)) return;
    this.callers.rest((owner) => this.isAlive(owner));
    this.commits.rest(until);
    for (const page of this.livePages) this.#judgeConnection(page);
  }

  /** A tab holds its lock, under any of its client ids. Who waits for its death holds it `shared`, for a moment. */
  isOpen({ surroundings: { process } }: VirtualPage): boolean {
    const { held } = this.browser.lockInfo();
    const own = names.client(`${process.name}.`);
    return held.some(({ name = "", mode }) => name.startsWith(own) && mode === "exclusive");
  }

  /** With open work, a tab knows at once that its worker has ended: it does not wait as for one that hangs. */
  #judgeConnection(page: VirtualPage): void {
    const { surroundings, profile } = page;
    if (profile.mode !== "shared" || !this.isOpen(page)) return;
    const ports = this.browser.openPortsOf(surroundings.process);
    must(ports > 0, "A tab with open work does not know that its worker has ended.");
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
    this.#cached.add(page);
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
    this.commits.powerWasCut();
    this.#entries.see(this.browser.database.contents);
    for (const tab of this.#pages.keys()) this.#pages[tab] = this.open(tab);
  }

  /** Calls the tool. */
  call(page: VirtualPage, step: CallStep): Call {
    const caller = new AbortController();
    const { faults } = this;
    const call: Call = {
      ...{ step, page, caller, faults, fences: new Set<number>(), end: undefined },
      ...{
        begun: Number.POSITIVE_INFINITY,
        expired: undefined,
        waited: undefined,
        replayed: false,
      },
    };
    this.calls.push(call);
    page.run(() => {
      call.begun = this.browser.schedule.steps;
      call.expired = this.commits.hasExpired(step.key) ? this.ledger.answer(step.key) : undefined;
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

  /** A claim's owner holds its lock. */
  isAlive(owner: string): boolean {
    const { held } = this.browser.lockInfo();
    return held.some(({ name, mode }) => name === names.client(owner) && mode === "exclusive");
  }

  /** Its tab goes on in the belief that it has the claim. */
  isInHand({ page, lost, givenUp }: KnownClaim): boolean {
    return page.alive && !this.#bereft.has(page) && lost?.aborted !== true && !givenUp;
  }

  /** The call's page lives, and was never in the cache, where locks can end and grants are undone. */
  isAwake(call: string): boolean {
    const [name = ""] = call.split(".");
    const page = this.#opened.get(name);
    return page?.alive === true && !this.#cached.has(page);
  }

  #replayed({ step: { key }, fences }: Call): void {
    this.transitions.push("completed → replayed");
    const record = this.browser.database.contents.records.get(key);
    if (record?.state !== "completed" || !fences.has(record.fence)) return;
    // A reviewer has said what a call has left in doubt.
    if (record.audit) return;
    this.violation ??= new Violation(
      `A caller of "${key}" was told that its own output was another's.`,
    );
  }

  /** Whoever has waited for an answer is told of it, and does not become its successor. */
  #granted({ step: { key }, waited }: Call, fence: number): void {
    const replaced = waited === undefined ? undefined : this.commits.replacedSince(fence, waited);
    if (!replaced) return;
    this.violation ??= new Violation(`A waiter of "${key}" took the place of a ${replaced} one.`);
  }
}
