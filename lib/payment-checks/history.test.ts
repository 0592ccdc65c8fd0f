import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latestFirst, type OwnMovement, recipientHistory, usualRange } from './history.ts';

const IBAN = 'TR330006100519786457841326';

function movement(changes: Partial<OwnMovement>): OwnMovement {
  return {
    id: 'a',
    iban: IBAN,
    name: 'ABC Ltd.',
    taxNumber: '1234567890',
    amountMinor: 100_000n,
    currency: 'TRY',
    paymentType: '06',
    description: '',
    state: 'COMPLETED',
    returned: 'NONE',
    createdAt: '2026-02-04T09:00:00.000Z',
    maker: 'Ayşe T.',
    reasonText: null,
    ...changes,
  };
}

describe('the recipient card', () => {
  it('says how often, since when, how much, and how the last one ended', () => {
    const movements = [
      movement({
        id: '1',
        amountMinor: 800_000n,
        createdAt: '2025-03-01T09:00:00.000Z',
        paymentType: '05',
      }),
      movement({ id: '2', amountMinor: 1_000_000n, createdAt: '2025-08-01T09:00:00.000Z' }),
      movement({ id: '3', amountMinor: 1_250_000n, createdAt: '2026-01-01T09:00:00.000Z' }),
      movement({
        id: '4',
        returned: 'CONFIRMED',
        createdAt: '2026-01-15T09:00:00.000Z',
        reasonText: 'Hesap kapalı',
      }),
      movement({ id: '5', state: 'REJECTED', createdAt: '2026-02-04T09:00:00.000Z' }),
      movement({ id: '6', state: 'DRAFT', createdAt: '2026-02-05T09:00:00.000Z' }),
      movement({ id: '7', iban: 'TR470000100100000350930001' }),
      movement({ id: '8', currency: 'USD' }),
    ];
    expect(recipientHistory(movements, IBAN, 'TRY')).toMatchObject({
      count: 3,
      firstAt: '2025-03-01T09:00:00.000Z',
      usual: { low: 800_000n, high: 1_250_000n, n: 3 },
      last: { id: '5' },
      returns: 1,
      lastReturn: { id: '4', reasonText: 'Hesap kapalı' },
      paymentType: { code: '06', times: 2, of: 3 },
    });
  });

  it('of a stranger is empty', () => {
    expect(recipientHistory([], IBAN, 'TRY')).toEqual({
      count: 0,
      firstAt: null,
      usual: null,
      last: null,
      returns: 0,
      lastReturn: null,
      paymentType: null,
    });
  });

  it('does not depend on the order in which movements were fetched', () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      movement({
        id: String(index),
        amountMinor: BigInt(1000 * (index + 1)),
        createdAt: `2026-01-${10 + (index % 4)}T09:00:00.000Z`,
        paymentType: `0${index % 3}`,
      }),
    );
    fc.assert(
      fc.property(fc.shuffledSubarray(many, { minLength: 12 }), (shuffled) => {
        expect(recipientHistory(shuffled, IBAN, 'TRY')).toEqual(
          recipientHistory(many, IBAN, 'TRY'),
        );
        expect(latestFirst(shuffled)).toEqual(latestFirst(many));
      }),
    );
  });
});

describe('the usual range', () => {
  it('leaves the tails out and needs three payments', () => {
    expect(usualRange([1n, 2n])).toBeNull();
    expect(usualRange(Array.from({ length: 20 }, (_, index) => BigInt(20 - index)))).toEqual({
      low: 2n,
      high: 18n,
      n: 20,
    });
  });

  it('has ends that were really paid', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 3 }),
        (amounts) => {
          const usual = usualRange(amounts);
          return (
            usual !== null &&
            amounts.includes(usual.low) &&
            amounts.includes(usual.high) &&
            usual.low <= usual.high
          );
        },
      ),
    );
  });
});
