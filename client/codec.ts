/**
 * Turns outputs and journal entries into bytes before they leave the tab, and back: to encrypt what is stored
 * (docs/privacy.md has an example). Both run in the tab; the worker and the database see bytes only.
 */
export interface Codec {
  /** A rejection of an output leaves its operation in doubt; one of a journal entry rejects `operation.write`. */
  encode(data: unknown): Promise<Uint8Array>;
  /**
   * Rejects for bytes that it can't read, as after the loss of a key. Their operation is then in doubt, never free: `recover`
   * has to ask the authority.
   */
  decode(bytes: Uint8Array): Promise<unknown>;
}

/** Marks encoded values, so that those stored without a codec can be told from them. */
const MARK = "signett:encoded";

interface Encoded {
  readonly [MARK]: Uint8Array;
}

const isEncoded = (stored: unknown): stored is Encoded =>
  typeof stored === "object" &&
  stored !== null &&
  MARK in stored &&
  stored[MARK] instanceof Uint8Array;

/** What a tab stores and reads. Without a codec values are stored as they are. */
export class Coder {
  readonly #codec: Codec | undefined;

  constructor(codec: Codec | undefined) {
    this.#codec = codec;
  }

  /** What to store. `undefined` says only that there is nothing, and is stored as it is. */
  async encode(data: unknown): Promise<unknown> {
    if (!this.#codec || data === undefined) return data;
    const bytes: unknown = await this.#codec.encode(data);
    if (!(bytes instanceof Uint8Array)) {
      throw new TypeError("`codec.encode` must give a Uint8Array.");
    }
    return { [MARK]: bytes } satisfies Encoded;
  }

  /** What was stored. Rejects if it can't be read here. */
  async decode(stored: unknown): Promise<unknown> {
    if (!isEncoded(stored)) return stored;
    if (!this.#codec) throw new TypeError("The value is encoded, and this profile has no codec.");
    return this.#codec.decode(stored[MARK]);
  }

  /** The same for a value in a box; nothing if it can't be read. */
  async opened(
    box: { readonly output: unknown } | null | undefined,
  ): Promise<{ readonly value: unknown } | undefined> {
    if (!box) return undefined;
    try {
      return { value: await this.decode(box.output) };
    } catch {
      return undefined;
    }
  }
}
