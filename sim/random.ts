/**
 * The only source of chance: the same seed and the same stream give the same numbers, and so the
 * same world, on every machine.
 */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /**
   * `stream` keeps one part of a world independent of the others: leaving out one stream does not
   * change the rest.
   */
  constructor(seed: number, stream: string) {
    let hash = (seed ^ 0x9e3779b9) >>> 0;
    for (let i = 0; i < stream.length; i++)
      hash = Math.imul(hash ^ stream.charCodeAt(i), 0x01000193) >>> 0;
    this.a = hash;
    // The high bits count, too: seeds beyond 32 bits give worlds of their own.
    this.b =
      (Math.imul(hash, 0x85ebca6b) ^ Math.imul(Math.floor(seed / 2 ** 32), 0xc2b2ae35)) >>> 0;
    this.c = (seed + stream.length) >>> 0;
    this.d = 1;
    for (let i = 0; i < 12; i++) this.next();
  }

  /**
   * The next number in [0, 1), by the sfc32 generator, which is small, fast, and random enough for
   * a simulation.
   */
  next(): number {
    const sum = (this.a + this.b + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  }

  chance(p: number): boolean {
    return p > 0 && this.next() < p;
  }

  /** A random integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** A random number from `low` to `high`; every order of magnitude is as likely as every other. */
  scale(low: number, high: number): number {
    return low * (high / low) ** this.next();
  }

  /**
   * A random integer like `between`, but every order of magnitude is as likely as every other:
   * mostly short times, sometimes very long ones.
   */
  spread(low: number, high: number): number {
    return Math.round(this.scale(low, high));
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }
}
