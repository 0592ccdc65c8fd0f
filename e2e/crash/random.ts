/** The random source of a storm: the same seed and stream give the same values. */
export class Random {
  #state: number;

  /**
   * `stream` keeps payments, faults and process failures independent: more numbers of one stream do
   * not change the others.
   */
  constructor(seed: number, stream: string) {
    this.#state = [...stream].reduce(
      (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193),
      seed ^ 0x811c9dc5,
    );
  }

  /** The next number in [0, 1), by the mulberry32 generator. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  /** A random integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }
}
