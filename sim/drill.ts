import type { FaultName, Knobs, Questions } from './knobs.ts';
import type { Life, Mark } from './lives.ts';
import type { Row } from './store.ts';
import { MINUTE } from './time.ts';

/**
 * A drill: one kind of fault alone, at a high rate, and the outcome expected of the intents that
 * meet it. What the contract leaves open is drawn as in any other world, unless the drill tests it.
 */
export type Drill = {
  /** The number of a row of the fault matrix; for other drills a name in words. */
  name: string;
  fault: string;
  expected: string;
  /**
   * Situations that the drill's worlds must contain. Intents that met one of them are judged by
   * `holds`.
   */
  marks: readonly Mark[];
  /** The faults that the drill tests: without them no intent meets its situations. */
  faults: Partial<Record<FaultName, number>>;
  /** Further faults of its worlds, which make the tested faults visible. */
  beside?: Partial<Record<FaultName, number>>;
  questions?: Partial<Questions>;
  knobs?: Partial<Knobs>;
  /** All needs have the same amount and the same payee; otherwise each has a payee of its own. */
  twins?: boolean;
  /** Ordinary worlds heal too early to meet its trouble. */
  takesLonger?: true;
  holds: (life: Life, row: Row, all: readonly Row[]) => boolean;
};

/**
 * The quiet time before a resend, and the tail of a request: 30 s of timeout and 180 s in which it
 * may still arrive.
 */
export const QUIET_MS = 30 * MINUTE;
export const TAIL_MS = 210_000;

export const paid = (row: Row): boolean => row.state === 'COMPLETED';
export const once = (life: Life): boolean => life.executed === 1 && life.sentAt.length === 1;
export const unclear = (life: Life): boolean => life.states.includes('UNKNOWN');
export const unflagged = (life: Life): boolean => life.flags.size === 0;
/** Whether at most `most` of the times fall into any span of `ms` milliseconds. */
export const atMost = (times: readonly number[], most: number, ms: number): boolean =>
  times.every((at, index) => (times[index + most] ?? Infinity) - at > ms);
/** Whether the intent was paid once, or not executed and a person was alerted. */
export const paidOrFlagged = (life: Life, row: Row): boolean =>
  paid(row) ? life.executed === 1 : life.executed === 0 && row.alert !== null;
export const apart = (times: readonly number[], ms: number): boolean =>
  times.every((at, index) => index === 0 || at - times[index - 1]! >= ms);
export const resentQuietly = (life: Life, row: Row): boolean =>
  unclear(life) && apart(life.claimedAt, QUIET_MS + TAIL_MS) && paidOrFlagged(life, row);
export const neverFreshAgain = ({ states }: Life): boolean =>
  !states.includes('UNKNOWN') || !states.slice(states.indexOf('UNKNOWN')).includes('APPROVED');
