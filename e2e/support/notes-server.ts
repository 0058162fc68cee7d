import type { BrowserContext, Route } from "@playwright/test";

/** The notes application's server, played by the test. */
export class NotesServer {
  /** The notes that were sent, in order: the effects. */
  readonly sent: string[] = [];
  /** Keeps the answers of what it has done until this is set to `false` again. */
  #held: (() => void)[] | undefined;
  #holding = new Map<number, () => void>();

  static async in(context: BrowserContext): Promise<NotesServer> {
    const server = new NotesServer();
    await context.route("**/api/notes/*", (route) => server.#answer(route));
    return server;
  }

  /** From now on effects happen and their answers don't come. */
  hold(): void {
    this.#held ??= [];
  }

  /** Gives the answers that were held back. */
  release(): void {
    for (const answer of this.#held ?? []) answer();
    this.#held = undefined;
  }

  /** Resolves when so many effects have happened in all. */
  async effects(count: number): Promise<void> {
    if (this.sent.length >= count) return;
    await new Promise<void>((resolve) => this.#holding.set(count, resolve));
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const id = new URL(request.url()).pathname.split("/").pop() ?? "";
    if (request.method() === "GET") {
      const known = this.sent.includes(id);
      await route.fulfill(known ? { json: { sent: id } } : { status: 404 });
      return;
    }
    if (id === "refused") {
      await route.fulfill({ status: 409, body: "This note was refused." });
      return;
    }
    this.sent.push(id);
    this.#holding.get(this.sent.length)?.();
    const held = this.#held;
    if (held) await new Promise<void>((resolve) => held.push(resolve));
    // The page that asked may be gone.
    await route.fulfill({ json: { sent: id } }).catch(() => {});
  }
}
