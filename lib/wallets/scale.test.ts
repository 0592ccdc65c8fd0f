import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { downFrom, scaleOf } from './scale.ts';

const amounts = fc.array(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), {
  minLength: 1,
  maxLength: 90,
});

describe('the scale of a drawing', () => {
  it('holds every value between few round marks', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 2, max: 6 }), (values, most) => {
        const scale = scaleOf(values, most);
        expect(scale.marks.length).toBeGreaterThanOrEqual(2);
        expect(scale.marks.length).toBeLessThanOrEqual(most + 2);
        expect([scale.marks[0], scale.marks.at(-1)]).toEqual([scale.low, scale.high]);
        for (const value of values) {
          const place = downFrom(scale, value);
          expect(place).toBeGreaterThanOrEqual(0);
          expect(place).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('puts the more above the less', () => {
    fc.assert(
      fc.property(amounts, (values) => {
        const scale = scaleOf(values, 4);
        const [first, ...rest] = values.toSorted((a, b) => (a < b ? -1 : 1));
        let above = first!;
        for (const value of rest) {
          expect(downFrom(scale, value)).toBeLessThanOrEqual(downFrom(scale, above));
          above = value;
        }
      }),
    );
  });

  it('marks what people can read', () => {
    expect(scaleOf([0n, 34_000_000n], 4).marks).toEqual([0n, 20_000_000n, 40_000_000n]);
    expect(scaleOf([118_000_000n, 125_000_000n], 4).marks).toEqual([
      115_000_000n,
      120_000_000n,
      125_000_000n,
    ]);
    expect(scaleOf([0n, 0n], 4).marks).toEqual([-100n, 0n, 100n]);
  });
});
