let documents = 0;

/** A document in a tab, from its load to its end. */
export class Document {
  readonly #end: () => void;
  readonly number = ++documents;
  readonly ended: Promise<void>;
  over = false;

  constructor() {
    let end = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#end = end;
  }

  end(): void {
    this.over = true;
    this.#end();
  }
}
