/**
 * The days of a wallet as a ledger: each day opens with the previous day's closing balance. Closed
 * days keep their figures; corrections found later are carried by the first open day. Pure; amounts
 * in minor units.
 */
import { addDays } from '#lib/values/dates.ts';

/**
 * The movements of a day. `lowest`: the lowest point relative to the opening (zero or negative).
 */
export type Moved = { in: bigint; out: bigint; fees: bigint; lines: number; lowest: bigint };
export type Closed = Moved & { opening: bigint; carried: bigint; closing: bigint };
/**
 * Corrections found after a closed day's close. `carried` is the part in a later closed day's
 * figures; the rest waits for the next close.
 */
export type Late = { net: bigint; carried: bigint; lines: number };

export type BookDay = {
  day: string;
  state: 'closed' | 'open';
  opening: bigint | null;
  carried: bigint;
  in: bigint;
  out: bigint;
  fees: bigint;
  closing: bigint | null;
  lines: number;
  /** The wallet's lowest balance in the day; null when the opening is not known. */
  lowest: bigint | null;
  late: Late | null;
};

export type Book = {
  /** The days of the ledger, in order and without gaps. */
  days: readonly string[];
  /** The opening of the first day, unless it is closed; null when unknown. */
  opening: bigint | null;
  moved: ReadonlyMap<string, Moved>;
  closed: ReadonlyMap<string, Closed>;
  late: ReadonlyMap<string, Late>;
  /**
   * The last closed day, also after `days`. `waiting`: all corrections of closed days that no
   * closed day carries yet.
   */
  lastClosed: string | null;
  waiting: bigint;
};

const NOTHING: Moved = { in: 0n, out: 0n, fees: 0n, lines: 0, lowest: 0n };

export function bookDays({
  days,
  opening: first,
  moved,
  closed,
  late,
  lastClosed,
  waiting,
}: Book): BookDay[] {
  let opening = first;
  return days.map((day) => {
    const frozen = closed.get(day);
    const { in: into, out, fees, lines, lowest } = frozen ?? moved.get(day) ?? NOTHING;
    const begins = frozen === undefined ? opening : frozen.opening;
    const carried =
      frozen?.carried ?? (lastClosed !== null && day === addDays(lastClosed, 1) ? waiting : 0n);
    const closing =
      frozen?.closing ?? (begins === null ? null : begins + carried + into - out - fees);
    opening = closing;
    return {
      day,
      state: frozen === undefined ? 'open' : 'closed',
      opening: begins,
      carried,
      in: into,
      out,
      fees,
      closing,
      lines,
      lowest: begins === null ? null : begins + carried + lowest,
      late: late.get(day) ?? null,
    };
  });
}
