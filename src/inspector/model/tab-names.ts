/** Gives tabs short numbers in the order in which they are heard of; 1 is this tab. */
export class TabNames {
  readonly #numbers = new Map<string, number>();

  /** @param own This tab's id. */
  constructor(own: string) {
    this.#numbers.set(own, 1);
  }

  get count(): number {
    return this.#numbers.size;
  }

  numberOf(tab: string): number {
    const number = this.#numbers.get(tab) ?? this.#numbers.size + 1;
    this.#numbers.set(tab, number);
    return number;
  }

  nameOf(tab: string): string {
    const number = this.numberOf(tab);
    return number === 1 ? "this tab" : `tab ${number}`;
  }
}
