import type { Clock } from './clock.ts';

/**
 * Runs all work that is due on the virtual clock: bank steps, deliveries, late work. After a jump
 * of the clock, call drain().
 */

export type Source = {
  /** The virtual time of the next work of this source, in milliseconds; null when it has none. */
  next(): number | null;
  /** Does the work that is due at or before `now`, and must leave next() later than `now`. */
  run(now: number): void;
};

const LONGEST_SLEEP_MS = 60_000;
const MOST_ROUNDS = 100_000;

export class Scheduler {
  readonly #clock: Clock;
  readonly #sources: Source[] = [];
  #timer: NodeJS.Timeout | null = null;
  #wakeAt = Infinity;
  #running = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(source: Source): void {
    this.#sources.push(source);
  }

  /**
   * Announces work that may be due at `at` (virtual milliseconds). Cheap enough to call
   * for every accepted request.
   */
  poke(at: number): void {
    if (this.#running || at >= this.#wakeAt) return;
    this.#arm(at);
  }

  #arm(at: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#wakeAt = at;
    const wait = Math.min(Math.max(at - this.#clock.now(), 0), LONGEST_SLEEP_MS);
    this.#timer = setTimeout(() => this.drain(), wait);
    this.#timer.unref();
  }

  /** Does all work that is due now, in order of time, then sleeps until the next work is due. */
  drain(): void {
    if (this.#running) return;
    this.#running = true;
    let next: number | null = null;
    try {
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const now = this.#clock.now();
        const first = this.#sources
          .map((source) => ({ source, at: source.next() }))
          .filter((one) => one.at !== null)
          .sort((a, b) => (a.at ?? 0) - (b.at ?? 0))[0];
        next = first?.at ?? null;
        if (!first || next === null || next > now) break;
        first.source.run(now);
      }
    } catch (error) {
      process.stderr.write(
        `sandbox: scheduled work failed: ${String((error as Error).stack ?? error)}\n`,
      );
      next = this.#clock.now() + 1000;
    } finally {
      this.#running = false;
    }
    this.#wakeAt = Infinity;
    if (next !== null) this.#arm(next);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#running = true;
  }
}
