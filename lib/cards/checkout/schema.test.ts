import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAmount } from '#lib/values/money.ts';
import { CHARGE_KINDS } from './content.ts';
import { readCharge } from './schema.ts';
import type { TypedCharge } from './schema.ts';

const ID = '3f0e3a52-0000-4000-8000-00000000aaaa';
export const typed = (part: Partial<TypedCharge> = {}): TypedCharge => ({
  id: ID,
  locale: 'tr',
  kind: 'three_d',
  currency: 'TRY',
  total: '1.250,50',
  description: 'Kumaş',
  items: [{ name: 'Kumaş', description: '', price: '625,25', quantity: '2' }],
  name: 'Işık',
  surname: 'Öğüt',
  email: '',
  phone: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  postcode: '',
  country: '',
  installments: '1',
  commissionBy: null,
  cardProgram: null,
  hold: false,
  verifyFirst: false,
  recurring: false,
  recurringCount: '',
  recurringCycle: 'month',
  recurringInterval: '',
  insurance: false,
  identityNumber: '',
  agriculture: false,
  maturityPeriod: '',
  paymentFrequency: '',
  customerNumber: '',
  savedCard: '',
  ...part,
});
const errorsOf = (part: Partial<TypedCharge>): Record<string, string> => {
  const read = readCharge(typed(part));
  return read.kind === 'errors'
    ? Object.fromEntries(Object.entries(read.errors).map(([field, { code }]) => [field, code]))
    : {};
};

describe('a card payment as it is typed', () => {
  it('is read with its amounts exact, in Turkish and in English notation', () => {
    expect(readCharge(typed())).toMatchObject({
      kind: 'read',
      amountMinor: 125_050n,
      content: {
        items: [{ priceMinor: '62525', quantity: 2 }],
        buyer: { name: 'Işık', surname: 'Öğüt' },
      },
    });
    expect(
      readCharge(
        typed({
          locale: 'en',
          total: '1,250.50',
          items: [{ name: 'Cloth', description: '', price: '625.25', quantity: '2' }],
        }),
      ),
    ).toMatchObject({ kind: 'read', amountMinor: 125_050n });
  });

  it('is refused unless its items add up to its total, to the last minor unit', () => {
    expect(errorsOf({ total: '1.250,51' })).toEqual({ total: 'total_differs' });
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            price: fc.bigInt(1n, 10_000_000n),
            quantity: fc.integer({ min: 1, max: 40 }),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        fc.bigInt(-3n, 3n),
        (items, off) => {
          const sum = items.reduce((all, one) => all + one.price * BigInt(one.quantity), 0n);
          if (sum + off <= 0n) return;
          const read = readCharge(
            typed({
              total: formatAmount(sum + off, 'tr'),
              items: items.map((one) => ({
                name: 'x',
                description: '',
                price: formatAmount(one.price, 'tr'),
                quantity: String(one.quantity),
              })),
            }),
          );
          expect(read.kind).toBe(off === 0n ? 'read' : 'errors');
          if (read.kind === 'read') expect(read.amountMinor).toBe(sum);
        },
      ),
    );
  });

  it('is refused where a field holds a card number, whichever it is', () => {
    for (const field of ['description', 'name', 'surname', 'address1', 'city'] as const)
      expect(errorsOf({ [field]: 'kart 4508 0345 0803 4509' })).toEqual({ [field]: 'card_number' });
    expect(
      errorsOf({
        items: [{ name: '4508034508034509', description: '', price: '1.250,50', quantity: '1' }],
      }),
    ).toEqual({ 'items.0.name': 'card_number' });
  });

  it('never becomes a payment of nothing: 0, empty, NaN and what can be read in two ways are refused', () => {
    for (const total of ['', '0', '0,00', 'NaN', '-5', '1,500', '1e3', 'Infinity'])
      expect(Object.keys(errorsOf({ total })), total).toContain('total');
    expect(errorsOf({ items: [] })).toMatchObject({ items: 'items_none' });
    for (const quantity of ['0', '', '-1', '1,5', 'NaN'])
      expect(
        Object.keys(
          errorsOf({ items: [{ name: 'x', description: '', price: '10', quantity }], total: '10' }),
        ),
      ).toContain('items.0.quantity');
  });

  it('takes of each way only what that way knows', () => {
    const all: Partial<TypedCharge> = {
      hold: true,
      verifyFirst: true,
      insurance: true,
      identityNumber: '1234567890',
      agriculture: true,
      maturityPeriod: '30',
      paymentFrequency: '2',
      cardProgram: 'BONUS',
      commissionBy: 'user',
      customerNumber: '70021',
      savedCard: '7',
      email: 'a@b.test',
      phone: '905320000000',
    };
    const kept = Object.fromEntries(
      CHARGE_KINDS.map((kind) => {
        const read = readCharge(typed({ ...all, kind }));
        return [
          kind,
          read.kind === 'read'
            ? Object.keys(read.content)
                .filter((key) =>
                  [
                    'hold',
                    'verifyFirst',
                    'insurance',
                    'agriculture',
                    'savedCard',
                    'cardProgram',
                    'commissionBy',
                  ].includes(key),
                )
                .sort()
            : read,
        ];
      }),
    );
    expect(kept).toEqual({
      three_d: ['agriculture', 'cardProgram', 'commissionBy', 'hold', 'verifyFirst'],
      non_secure: ['cardProgram', 'commissionBy', 'hold', 'insurance'],
      saved_three_d: ['cardProgram', 'commissionBy', 'savedCard', 'verifyFirst'],
      saved_non_secure: ['cardProgram', 'commissionBy', 'savedCard'],
      link: [],
    });
  });

  it('has no installments when it recurs; a saved card has a customer, an e-mail and a phone', () => {
    expect(
      errorsOf({
        recurring: true,
        recurringCount: '1',
        recurringInterval: '100',
        installments: '3',
      }),
    ).toEqual({
      recurringCount: 'whole',
      recurringInterval: 'whole',
      installments: 'one_installment',
    });
    expect(errorsOf({ kind: 'saved_non_secure' })).toEqual({
      email: 'required',
      phone: 'required',
      savedCard: 'saved_card',
      cardProgram: 'program_needed',
    });
  });

  it('is no form when it is something else', () => {
    for (const input of [
      null,
      'x',
      {},
      { ...typed(), id: 'x' },
      { ...typed(), kind: 'cash' },
      { ...typed(), items: 'x' },
    ])
      expect(readCharge(input)).toEqual({ kind: 'no_form' });
  });
});
