import type { ServerResponse } from "node:http";
import type { FaultSettings, FaultStatus } from "./api.js";
import { type Answer, RequestError, send, sendHalf } from "./http.js";

const DEFAULTS: FaultSettings = {
  answers: "normal",
  delayMs: 4_000,
  receipts: "normal",
  deduplicate: true,
};

/** What a client gets to hear instead of an answer that has failed. */
const FAILURE = new RequestError(
  500,
  "internal_error",
  "The server failed after it had done its work.",
);

/** What goes wrong on purpose, and the answers that are held because of it. */
export class Faults {
  #settings = DEFAULTS;
  readonly #held = new Map<ServerResponse, Answer>();

  get settings(): FaultSettings {
    return this.#settings;
  }

  get status(): FaultStatus {
    return { ...this.#settings, holding: this.#held.size };
  }

  /** Changes some settings. Held answers go out under the new ones unless these hold them too. */
  update(changes: Partial<FaultSettings>): void {
    this.#settings = { ...this.#settings, ...changes };
    if (this.#settings.answers === "held") return;
    const held = [...this.#held];
    this.#held.clear();
    for (const [response, answer] of held) this.deliver(response, answer);
  }

  reset(): void {
    this.update(DEFAULTS);
  }

  /** Sends an answer or an error in its place, or loses, delays or holds it. Clients that have gone away are forgotten. */
  deliver(response: ServerResponse, answer: Answer): void {
    if (response.destroyed) return;
    const { answers, delayMs } = this.#settings;
    switch (answers) {
      case "normal":
        send(response, answer);
        return;
      case "lost":
        sendHalf(response, answer);
        return;
      case "delayed": {
        const timer = setTimeout(() => send(response, answer), delayMs);
        response.once("close", () => clearTimeout(timer));
        return;
      }
      case "failed":
        send(response, FAILURE.toAnswer());
        return;
      case "held":
        this.#held.set(response, answer);
        response.once("close", () => this.#held.delete(response));
        return;
      default:
        answers satisfies never;
    }
  }
}
