import type { OperationInfo, OperationQuery, ProfileOperations } from "../../operations.js";

/** Which keys a person looks at. */
export type KeyQuery = Pick<OperationQuery, "state" | "prefix">;

/** An operation, and when it was read, in epoch milliseconds. */
export interface KnownOperation {
  readonly info: OperationInfo;
  readonly readAt: number;
}

/** What {@link KeyPages} needs. */
export interface KeyPagesOptions {
  readonly list: ProfileOperations["list"];
  readonly now: () => number;
  /** Something changed: look again. */
  readonly changed: () => void;
}

const PAGE = 100;
const LARGEST_PAGE = 1_000;

/** The operations of a profile that a person has looked at so far: one page, and more as they scroll. */
export class KeyPages {
  readonly #options: KeyPagesOptions;
  #query: KeyQuery = {};
  #known: readonly KnownOperation[] = [];
  #cursor: string | undefined;
  #reading: Promise<void> | undefined;
  #again = false;
  #error: unknown;
  #read = false;

  constructor(options: KeyPagesOptions) {
    this.#options = options;
  }

  /** In the order of their keys. */
  get known(): readonly KnownOperation[] {
    return this.#known;
  }

  /** There are more than these. */
  get more(): boolean {
    return this.#cursor !== undefined;
  }

  /** Why they could not be read the last time. */
  get error(): unknown {
    return this.#error;
  }

  /** They have been read, or tried to be. */
  get read(): boolean {
    return this.#read;
  }

  /** Looks at other keys. */
  ask(query: KeyQuery): void {
    this.#query = query;
    this.#known = [];
    this.#cursor = undefined;
    this.refresh();
  }

  /** Reads again what is known. While that goes on, however many wishes come to one more reading. */
  refresh(): void {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#run(async (query) => {
      const wanted = Math.max(PAGE, this.#known.length);
      const known: KnownOperation[] = [];
      let cursor: string | undefined;
      do {
        const limit = Math.min(LARGEST_PAGE, wanted - known.length);
        const page = await this.#page(query, limit, cursor);
        known.push(...page.known);
        cursor = page.cursor;
      } while (cursor !== undefined && known.length < wanted);
      return { known, cursor };
    });
  }

  /** Reads the next page. */
  readMore(): void {
    const after = this.#cursor;
    if (after === undefined || this.#reading) return;
    this.#run(async (query) => {
      const { known, cursor } = await this.#page(query, PAGE, after);
      return { known: [...this.#known, ...known], cursor };
    });
  }

  async #page(query: KeyQuery, limit: number, cursor: string | undefined) {
    const page = await this.#options.list({ ...query, limit, cursor });
    const readAt = this.#options.now();
    return { known: page.operations.map((info) => ({ info, readAt })), cursor: page.cursor };
  }

  #run(
    read: (
      query: KeyQuery,
    ) => Promise<{ known: readonly KnownOperation[]; cursor: string | undefined }>,
  ): void {
    const query = this.#query;
    this.#reading = read(query)
      .then(
        ({ known, cursor }) => {
          this.#error = undefined;
          // The answer to a question that is not asked any more.
          if (query !== this.#query) return;
          this.#known = known;
          this.#cursor = cursor;
        },
        (error: unknown) => {
          this.#error = error;
        },
      )
      .then(() => {
        this.#read = true;
        this.#reading = undefined;
        const again = this.#again || query !== this.#query;
        this.#again = false;
        if (again) this.refresh();
        this.#options.changed();
      });
  }
}
