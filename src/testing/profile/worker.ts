import { Host, type HostOptions } from "../../../worker/host.js";
import type { Surroundings, VirtualBrowser } from "./browser.js";
import { VirtualPort } from "./port.js";

/** One run of the worker's script: the product's host on the virtual browser. */
export class VirtualWorker {
  readonly surroundings: Surroundings;
  readonly #browser: VirtualBrowser;
  readonly #host: Host;
  readonly #ports = new Map<VirtualPort, Surroundings>();

  constructor(browser: VirtualBrowser, name: string) {
    this.#browser = browser;
    this.surroundings = browser.start(name);
    const { locks } = this.surroundings;
    this.#host = new Host({
      ...hostOptions(browser, this.surroundings),
      instance: name,
      remembers: true,
      prepare: (names) =>
        new Promise((held) => {
          locks.request(names.instance(name), () => new Promise(() => held()));
        }),
    });
  }

  get alive(): boolean {
    return this.surroundings.process.state !== "dead";
  }

  /** A page connects, or its port is given to the script that is run again. */
  attach(end: VirtualPort, page: Surroundings): void {
    const { process } = this.surroundings;
    const lane = this.#browser.schedule.lane(process, `${page.process.name} → ${process.name}`);
    const port = new VirtualPort(lane);
    VirtualPort.join(port, end);
    this.#ports.set(end, page);
    lane.push(() => this.#host.attach(port), "connect");
  }

  /** A page is gone. The worker ends with its last one. */
  leave(page: Surroundings): void {
    for (const [port, owner] of this.#ports) if (owner === page) this.#ports.delete(port);
    if (this.#ports.size === 0) this.end();
  }

  get hangs(): boolean {
    return this.surroundings.process.state === "stopped";
  }

  /** Its script stands still: it answers nothing, and keeps its locks and an open transaction. */
  hang(): void {
    this.surroundings.process.stop();
  }

  /** Its script goes on, with all that has come meanwhile. */
  goOn(): void {
    this.surroundings.process.goOn();
    this.#browser.schedule.onReady();
  }

  /** Ends without a word. Gives the pages' ends of its lines, which lead nowhere now. */
  end(): ReadonlyMap<VirtualPort, Surroundings> {
    this.#browser.end(this.surroundings);
    return this.#ports;
  }
}

/** What a coordinator's code finds, wherever it runs. */
function hostOptions(
  { database, channels }: VirtualBrowser,
  { process, locks, clock }: Surroundings,
): Omit<HostOptions, "instance" | "remembers" | "prepare"> {
  return {
    locks,
    clock,
    openDatabase: () => database.connect(process, clock),
    openChannel: (name) => channels.open(process, name),
  };
}

/** Starts a coordinator in a page, as the product does where there is no worker. */
export function startInPage(
  browser: VirtualBrowser,
  page: Surroundings,
  instance: string,
): { readonly port: MessagePort; close(): void } {
  const { process } = page;
  const end = new VirtualPort(browser.schedule.lane(process, `coordinator → ${process.name}`));
  const port = new VirtualPort(browser.schedule.lane(process, `${process.name} → coordinator`));
  VirtualPort.join(port, end);
  browser.addPort(end);
  const host = new Host({
    ...hostOptions(browser, page),
    instance,
    remembers: false,
    prepare: async () => {},
  });
  host.attach(port);
  const close = () => {
    host.close();
    port.close();
  };
  return { port: end, close };
}

/** The SharedWorkers of a browser profile: one for each script, as long as a page has it. */
export class VirtualWorkers {
  readonly #browser: VirtualBrowser;
  readonly #running = new Map<string, VirtualWorker>();
  #runs = 0;

  constructor(browser: VirtualBrowser) {
    this.#browser = browser;
  }

  /** Those that have not ended. */
  get running(): VirtualWorker[] {
    return [...this.#running.values()].filter(({ alive }) => alive);
  }

  /** `new SharedWorker(script)` in a page. */
  connect(script: string, page: Surroundings): SharedWorker {
    const running = this.#running.get(script);
    const worker = running?.alive ? running : this.#run(script);
    const lane = this.#browser.schedule.lane(page.process, `worker → ${page.process.name}`);
    const port = new VirtualPort(lane);
    worker.attach(port, page);
    this.#browser.addPort(port);
    return new VirtualSharedWorker(port);
  }

  /** A page is gone. */
  leave(page: Surroundings): void {
    for (const worker of this.running) worker.leave(page);
  }

  /** They end without a word. The next page that connects starts them anew. */
  kill(): void {
    for (const worker of this.running) worker.end();
  }

  /** WebKit runs a worker's script again, on the same ports, with all memory lost. */
  rerun(): void {
    for (const [script, worker] of this.#running) {
      if (!worker.alive) continue;
      const ports = worker.end();
      const next = this.#run(script);
      for (const [port, page] of ports) next.attach(port, page);
    }
  }

  #run(script: string): VirtualWorker {
    const worker = new VirtualWorker(this.#browser, `${script} ${++this.#runs}`);
    this.#running.set(script, worker);
    return worker;
  }
}

class VirtualSharedWorker extends EventTarget implements SharedWorker {
  readonly onerror = null;
  readonly port: VirtualPort;

  constructor(port: VirtualPort) {
    super();
    this.port = port;
  }
}
