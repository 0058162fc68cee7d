import type { VirtualPage } from "../../src/testing/profile/page.js";
import type { VirtualWorker } from "../../src/testing/profile/worker.js";
import type { AdministrationStep, Step, StorageError } from "./plan.js";
import type { World } from "./world.js";

const ERRORS: Readonly<Record<StorageError, string>> = {
  full: "QuotaExceededError",
  closed: "InvalidStateError",
  broken: "UnknownError",
};

/** Makes a plan's step happen. */
export function happen(world: World, step: Step): void {
  if (step.do === "call") call(world, step);
  else if (isAdministration(step)) administer(world, step);
  else if (apply(world, step)) world.disturb();
}

function call(world: World, step: Extract<Step, { do: "call" }>): void {
  const page = world.page(step.tab);
  if (page?.alive) world.call(page, step);
}

function administer(world: World, step: AdministrationStep): void {
  const page = world.page(step.tab);
  if (page?.alive) world.administrators.ask(page, step);
}

function isAdministration(step: Step): step is Step & AdministrationStep {
  return step.do === "purge" || step.do === "review" || step.do === "look";
}

/** Answers whether it could happen. */
function apply(world: World, step: Exclude<Step, { do: "call" } | AdministrationStep>): boolean {
  const { workers, browser } = world;
  switch (step.do) {
    case "caller leaves": {
      const made = world.calls[step.call];
      if (!made || made.end) return false;
      made.page.run(() => made.caller.abort(new Error("The caller left.")), step.do);
      return true;
    }
    case "profile is disposed":
      return inPage(world, step.tab, (page) => page.run(() => page.profile.close(), step.do));
    case "tab crashes":
      return inPage(world, step.tab, (page) => page.end());
    case "owner is reloaded": {
      const record = browser.database.contents.records.get(step.key);
      const owner = record?.state === "claimed" && world.claims.get(record.fence)?.page;
      return owner ? world.reload(owner) : false;
    }
    case "tab is reloaded":
      world.replace(step.tab);
      return true;
    case "tab freezes":
      return inPage(world, step.tab, (page) => page.freeze());
    case "tab thaws":
      return inPage(world, step.tab, (page) => page.thaw());
    case "tab is cached":
      return inPage(world, step.tab, (page) => world.cache(page, step.locks));
    case "tab comes back":
      return inPage(world, step.tab, (page) => world.comeBack(page));
    case "worker is killed":
      if (workers.running.length === 0) return false;
      workers.kill();
      return true;
    case "worker is run again":
      if (workers.running.length === 0) return false;
      workers.rerun();
      return true;
    case "power is cut":
      world.cutPower();
      return true;
    case "worker hangs":
      return withWorker(world, step.worker, (worker) => worker.hang());
    case "worker goes on":
      return withWorker(world, step.worker, (worker) => worker.goOn());
    case "message is delayed":
      return browser.schedule.delay(step.lane, step.steps);
    case "channel loses messages":
      browser.channels.dropping = true;
      return true;
    case "channel works":
      browser.channels.dropping = false;
      return false;
    case "storage fails": {
      const { moment, skip, times } = step;
      const error = new DOMException(`The storage is ${step.error}.`, ERRORS[step.error]);
      world.storageFaults.add({ moment, skip, times, error });
      // It counts when it fails.
      return false;
    }
    case "time passes":
      browser.time.passTo(browser.time.elapsed + step.ms);
      // Whatever was on its way has been slow.
      world.disturbedAt = browser.time.elapsed;
      return false;
    case "clock jumps":
      world.lookAtClock();
      browser.time.jump(step.ms);
      return true;
    default:
      return step satisfies never;
  }
}

function inPage(world: World, tab: number, happens: (page: VirtualPage) => void): boolean {
  const page = world.page(tab);
  if (!page?.alive) return false;
  happens(page);
  return true;
}

function withWorker(
  world: World,
  index: number,
  happens: (worker: VirtualWorker) => void,
): boolean {
  const worker = world.workers.running[index];
  if (!worker) return false;
  happens(worker);
  return true;
}

/** No more faults: whatever stands still goes on. */
export function calmDown(world: World): void {
  const { browser, workers, storageFaults } = world;
  storageFaults.clear();
  browser.channels.dropping = false;
  for (const worker of workers.running) {
    // One that hangs in a transaction keeps everybody from the database: only its end would help.
    const { process } = worker.surroundings;
    if (world.hang === "for a while" || browser.database.isUsedBy(process)) worker.goOn();
  }
  for (const page of world.livePages) {
    world.comeBack(page);
    page.thaw();
  }
}
