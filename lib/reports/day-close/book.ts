/**
 * The days of a wallet as a book: what a day opened with is what the day before closed with. Closed
 * days say what they said when they were closed; what was found of them later is carried by the
 * first day that is not. Pure; amounts in minor units.
 */
import { addDays } from '#lib/values/dates.ts';

/**
 * What moved in a day. `lowest`: how far the day fell below its opening at most (zero or negative).
 */
export type Moved = { in: bigint; out: bigint; fees: bigint; lines: number; lowest: bigint };
export type Closed = Moved & { opening: bigint; carried: bigint; closing: bigint };
/**
 * Found after the close, of a closed day. `carried` of it is in a later closed day's figures; the
 * rest waits for one.
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
  /** The lowest that the wallet stood at in the day; null when the opening is not known. */
  lowest: bigint | null;
  late: Late | null;
};

export type Book = {
  /** In order, without gaps. */
  days: readonly string[];
  /** Of the first of them, unless it is closed; null when nothing says it. */
  opening: bigint | null;
  moved: ReadonlyMap<string, Moved>;
  closed: ReadonlyMap<string, Closed>;
  late: ReadonlyMap<string, Late>;
  /**
   * The last day that is closed, also beyond `days`, and all that was found of closed days and no
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
