import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAYMENT_STATES } from '#lib/cards/payments/payment.ts';
import { offered } from './operable.ts';
import { readAmount } from './read-amount.ts';

const DAY = 86_400_000;
const SINCE = '2026-03-05T21:30:00.000Z';

describe('what is offered for a payment', () => {
  it('an authorization is offered for capture through 19 days, and for void while its record is open', () => {
    for (let hour = 0; hour <= 21 * 24; hour += 1)
      expect(
        offered({ state: 'held', heldSince: SINCE }, Date.parse(SINCE) + hour * 3_600_000),
      ).toEqual(hour < 19 * 24 ? ['capture', 'release'] : ['release']);
  });
  it('a hold of unknown age is not offered for capture', () => {
    expect(offered({ state: 'held', heldSince: null }, Date.parse(SINCE))).toEqual(['release']);
  });
  it('what was taken is offered for refund alone, and what was not for nothing', () => {
    const refundable = PAYMENT_STATES.filter(
      (state) =>
        state !== 'held' &&
        offered({ state, heldSince: SINCE }, Date.parse(SINCE) + DAY).length > 0,
    );
    expect(refundable).toEqual(['maybe_captured', 'completed', 'captured', 'partly_refunded']);
    expect(offered({ state: null, heldSince: null }, 0)).toEqual([]);
  });
});

describe('an amount as it is typed into a dialog', () => {
  it('is what a person sees or nothing: never more than is left, never nothing, never guessed', () => {
    expect(readAmount('1.234,5', 'tr', 'TRY', 123_450n)).toEqual({
      minor: 123_450n,
      problem: null,
    });
    expect(readAmount('1.234,51', 'tr', 'TRY', 123_450n)).toMatchObject({
      minor: null,
      problem: 'more',
    });
    expect(readAmount('1,500', 'tr', 'TRY', 900_000n)).toMatchObject({
      minor: null,
      problem: 'ambiguous',
      readings: [150_000n, 150n],
    });
    expect(readAmount('€5', 'tr', 'TRY', null)).toMatchObject({ problem: 'other_currency' });
    for (const text of ['', ' ', '0', '0,00', '-1', 'NaN', 'null', '1e3', '∞'])
      expect(readAmount(text, 'tr', 'TRY', 100n), text).toMatchObject({ minor: null });
    fc.assert(
      fc.property(fc.string(), fc.bigInt({ min: 0n, max: 10_000_000n }), (text, left) => {
        const { minor } = readAmount(text, 'tr', 'TRY', left);
        expect(minor === null || (minor > 0n && minor <= left)).toBe(true);
      }),
    );
  });
});
