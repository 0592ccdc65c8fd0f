import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '#lib/values/dates.ts';
import { bookDays } from './book.ts';
import type { Book, Moved } from './book.ts';

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
const moved = (into: bigint, out = 0n, fees = 0n, lowest = 0n): Moved => ({
  in: into,
  out,
  fees,
  lines: 1,
  lowest,
});
const book = (more: Partial<Book>): Book => ({
  days: DAYS,
  opening: 100n,
  moved: new Map(),
  closed: new Map(),
  late: new Map(),
  lastClosed: null,
  waiting: 0n,
  ...more,
});

describe('the book of a wallet', () => {
  it('opens each day with what the day before closed with: opening + in − out − fees = closing', () => {
    const days = bookDays(
      book({
        moved: new Map([
          ['2026-03-02', moved(50n, 20n, 1n, -10n)],
          ['2026-03-04', moved(0n, 200n, 3n, -203n)],
        ]),
      }),
    );
    expect(days.map((one) => [one.opening, one.closing])).toEqual([
      [100n, 100n],
      [100n, 129n],
      [129n, 129n],
      [129n, -74n],
    ]);
    expect(days.map((one) => one.lowest)).toEqual([100n, 90n, 129n, -74n]);
  });

  it('keeps a closed day whatever the lines say now, and the first open day carries later findings', () => {
    const closed = new Map([
      ['2026-03-01', { ...moved(10n), opening: 100n, carried: 0n, closing: 110n }],
      ['2026-03-02', { ...moved(0n, 5n), opening: 110n, carried: 0n, closing: 105n }],
    ]);
    const days = bookDays(
      book({
        closed,
        moved: new Map([
          ['2026-03-01', moved(999n)],
          ['2026-03-03', moved(1n)],
        ]),
        lastClosed: '2026-03-02',
        waiting: 989n,
      }),
    );
    expect(days.map((one) => [one.state, one.opening, one.carried, one.in, one.closing])).toEqual([
      ['closed', 100n, 0n, 10n, 110n],
      ['closed', 110n, 0n, 0n, 105n],
      ['open', 105n, 989n, 1n, 1095n],
      ['open', 1095n, 0n, 0n, 1095n],
    ]);
  });

  it('says nothing of a balance that nobody told', () => {
    expect(
      bookDays(book({ opening: null, moved: new Map([['2026-03-01', moved(5n)]]) })).map((one) => [
        one.opening,
        one.in,
        one.closing,
        one.lowest,
      ])[0],
    ).toEqual([null, 5n, null, null]);
  });

  it('adds up over any number of days, wherever the closed ones end', () => {
    const flow = fc
      .record({
        in: fc.bigInt(0n, 10n ** 12n),
        out: fc.bigInt(0n, 10n ** 12n),
        fees: fc.bigInt(0n, 10n ** 6n),
      })
      .map((one) => ({ ...one, lines: 1, lowest: 0n }));
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 14n), 10n ** 14n),
        fc.array(flow, { minLength: 1, maxLength: 60 }),
        fc.nat(),
        fc.bigInt(-(10n ** 9n), 10n ** 9n),
        (opening, flows, at, waiting) => {
          const days = flows.map((_, n) => addDays('2026-02-10', n));
          const cut = at % flows.length;
          const frozen = bookDays(
            book({
              days: days.slice(0, cut),
              opening,
              moved: new Map(days.map((day, n) => [day, flows[n]!])),
            }),
          );
          const closed = new Map(
            frozen.map((one) => [
              one.day,
              { ...one, opening: one.opening!, closing: one.closing!, lowest: 0n },
            ]),
          );
          const shown = bookDays(
            book({
              days,
              opening,
              moved: new Map(days.map((day, n) => [day, flows[n]!])),
              closed,
              lastClosed: days[cut - 1] ?? null,
              waiting: cut === 0 ? 0n : waiting,
            }),
          );
          const net = flows.reduce((sum, one) => sum + one.in - one.out - one.fees, 0n);
          expect(shown.at(-1)!.closing).toBe(opening + net + (cut === 0 ? 0n : waiting));
          for (const one of shown)
            expect(one.closing).toBe(one.opening! + one.carried + one.in - one.out - one.fees);
        },
      ),
    );
  });
});
