import type { Store } from './store.ts';

/**
 * The providers' time: real time plus an offset that only ever grows and is remembered.
 * Milliseconds since 1970.
 */

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const FARTHEST_JUMP_MS = 3650 * 86_400_000;

export class Clock {
  readonly #store: Store;
  #offset: number;

  constructor(store: Store) {
    this.#store = store;
    this.#offset = Number(store.read('clock.offset') ?? 0);
  }

  now(): number {
    return Date.now() + this.#offset;
  }

  get offset(): number {
    return this.#offset;
  }

  /** Moves forward by whole milliseconds. */
  advance(ms: number): void {
    this.#offset += Math.round(ms);
    this.#store.write('clock.offset', String(this.#offset));
  }

  /** Back to real time; only a reset of everything may do this. */
  rewind(): void {
    this.#offset = 0;
    this.#store.write('clock.offset', '0');
  }
}

/** "20d", "35m", "1h30m" to milliseconds; null when it is not a duration. */
export function parseDuration(value: string): number | null {
  const compact = value.replace(/\s+/g, '');
  if (!/^(?:\d+(?:ms|s|m|h|d))+$/.test(compact)) return null;
  let total = 0;
  for (const [, count, unit] of compact.matchAll(/(\d+)(ms|s|m|h|d)/g))
    total += Number(count) * (UNITS[unit ?? ''] ?? 0);
  return total > FARTHEST_JUMP_MS ? null : total;
}

/** ISO 8601 in UTC with seven fraction digits, as the wallet service writes dates. */
export function isoTicks(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '0000Z');
}

export const iso = (ms: number): string => new Date(ms).toISOString();

const TURKISH_OFFSET_MS = 3 * 3_600_000;

/** YYYY-MM-DD HH:MM:SS in Turkish local time, without a zone, as the card gateway writes times. */
export const turkishTime = (ms: number): string =>
  new Date(ms + TURKISH_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
