import type { Store } from './store.ts';

/**
 * The providers' time in milliseconds since 1970: real time plus an offset, which is stored and
 * only grows. A reset may begin in the past (a negative offset).
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

  /** Moves the time by whole milliseconds: forward, except at a reset. */
  advance(ms: number): void {
    this.#offset += Math.round(ms);
    this.#store.write('clock.offset', String(this.#offset));
  }

  /**
   * Sets the time back to real time. Only a reset of everything may do this while the time is
   * ahead.
   */
  rewind(): void {
    this.#offset = 0;
    this.#store.write('clock.offset', '0');
  }
}

/**
 * Converts "20d", "35m" or "1h30m" to milliseconds; null when the text is not a duration or is
 * longer than ten years.
 */
export function parseDuration(value: string): number | null {
  const compact = value.replace(/\s+/g, '');
  if (!/^(?:\d+(?:ms|s|m|h|d))+$/.test(compact)) return null;
  let total = 0;
  for (const [, count, unit] of compact.matchAll(/(\d+)(ms|s|m|h|d)/g))
    total += Number(count) * (UNITS[unit ?? ''] ?? 0);
  return total > FARTHEST_JUMP_MS ? null : total;
}

/**
 * Formats a time as ISO 8601 in UTC with seven fraction digits, as the wallet service writes dates.
 */
export function isoTicks(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '0000Z');
}

export const iso = (ms: number): string => new Date(ms).toISOString();

const TURKISH_OFFSET_MS = 3 * 3_600_000;

/**
 * Formats a time as YYYY-MM-DD HH:MM:SS in Turkish local time without a zone, as the card gateway
 * writes times.
 */
export const turkishTime = (ms: number): string =>
  new Date(ms + TURKISH_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
