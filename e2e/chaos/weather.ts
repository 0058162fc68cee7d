import type { DemoServer, Faults } from "../support/demo-server.js";

/** The demo's server on a bad day: each fault lasts for a while and ends, unless a later one has taken its place. */
export class Weather {
  readonly #server: DemoServer;
  readonly #latest = new Map<keyof Faults, object>();

  constructor(server: DemoServer) {
    this.#server = server;
  }

  async delayAnswers(delayMs: number, meanwhile: () => Promise<void>): Promise<void> {
    await this.#server.set({ delayMs });
    await this.#change("answers", { answers: "delayed" }, meanwhile);
  }

  loseAnswers(meanwhile: () => Promise<void>): Promise<void> {
    return this.#change("answers", { answers: "lost" }, meanwhile);
  }

  failAnswers(meanwhile: () => Promise<void>): Promise<void> {
    return this.#change("answers", { answers: "failed" }, meanwhile);
  }

  hideReceipts(meanwhile: () => Promise<void>): Promise<void> {
    return this.#change("receipts", { receipts: "unreadable" }, meanwhile);
  }

  async #change(
    what: "answers" | "receipts",
    change: Partial<Faults>,
    meanwhile: () => Promise<void>,
  ): Promise<void> {
    this.#latest.set(what, change);
    await this.#server.set(change);
    await meanwhile();
    if (this.#latest.get(what) === change) await this.#server.set({ [what]: "normal" });
  }
}
