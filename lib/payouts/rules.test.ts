import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { minor } from '#lib/values/money.ts';
import { RETURNED_ONE, SAMPLE, SAMPLES, sampleFacts, sampleMovement } from './rules.samples.ts';
import {
  blocking,
  checkPayout,
  feeEstimate,
  FINDING_CODES,
  needsReason,
  type Finding,
  type FindingCode,
  type PayoutFacts,
} from './rules.ts';
import type { OwnMovement } from '#lib/payment-checks/history.ts';

function codes(facts: PayoutFacts): FindingCode[] {
  return checkPayout(facts).map((finding) => finding.code);
}

function find(facts: PayoutFacts, code: FindingCode): Finding | undefined {
  return checkPayout(facts).find((finding) => finding.code === code);
}

describe('payout rules', () => {
  it('find nothing against an ordinary payment to a known recipient', () => {
    const findings = checkPayout(
      sampleFacts({ recent: [sampleMovement({ amountMinor: 1_000_000n })] }),
    );
    expect(findings.map(({ code, level }) => [code, level])).toEqual([
      ['iban_ok', 'ok'],
      ['tax_ok', 'ok'],
    ]);
  });

  test.each(SAMPLES)('$code is found', ({ code, level, facts, params }) => {
    expect(find(facts, code)).toMatchObject({ code, level, params });
  });

  it('have a sample for every code', () => {
    expect(new Set(SAMPLES.map((sample) => sample.code))).toEqual(new Set(FINDING_CODES));
  });

  it('say nothing about parts that are not typed yet', () => {
    expect(
      checkPayout({ ...sampleFacts(), content: {}, wallet: null, paymentType: null, recent: null }),
    ).toEqual([]);
    expect(checkPayout({ ...sampleFacts(), content: {} })).toEqual([]);
    expect(codes({ ...sampleFacts(), recent: null })).not.toContain('first_payment');
  });
});

describe('the lock on an unknown outcome', () => {
  const open = sampleMovement({ id: 'u', state: 'UNKNOWN', amountMinor: SAMPLE.amountMinor });

  it('blocks the same amount to the same IBAN, and no reason opens it', () => {
    const findings = checkPayout(sampleFacts({ recent: [open] }));
    expect(blocking(findings)).toMatchObject([{ code: 'unknown_same_amount', movementId: 'u' }]);
    expect(needsReason(findings)).toEqual([]);
  });

  it('holds however old the unknown one is', () => {
    expect(
      codes(sampleFacts({ recent: [{ ...open, createdAt: '2024-01-01T00:00:00.000Z' }] })),
    ).toContain('unknown_same_amount');
  });

  it('lets another payment to the recipient pass with a tick', () => {
    const findings = checkPayout(sampleFacts({ recent: [{ ...open, amountMinor: 1n }] }));
    expect(blocking(findings)).toEqual([]);
    expect(needsReason(findings)).toEqual(['unknown_other_amount']);
    expect(needsReason(findings, ['unknown_other_amount'])).toEqual([]);
  });

  it('asks about the same amount to another IBAN of the payee, and only of the payee', () => {
    const elsewhere = { ...open, iban: 'TR470000100100000350930001' };
    expect(needsReason(checkPayout(sampleFacts({ recent: [elsewhere] })))).toContain(
      'unknown_same_payee',
    );
    expect(
      codes(sampleFacts({ recent: [{ ...elsewhere, taxNumber: '10000000146' }] })),
    ).not.toContain('unknown_same_payee');
    expect(codes(sampleFacts({ recent: [{ ...elsewhere, amountMinor: 1n }] }))).not.toContain(
      'unknown_same_payee',
    );
  });

  it('does not hold the intent itself: the same form submitted again is the same payout', () => {
    expect(codes(sampleFacts({ recent: [{ ...open, id: SAMPLE.id }] }))).not.toContain(
      'unknown_same_amount',
    );
  });
});

describe('the duplicate warning', () => {
  const twin = sampleMovement({ amountMinor: SAMPLE.amountMinor });

  test.each([
    ['seven days ago to the second', { createdAt: '2026-02-27T11:00:00.000Z' }, true],
    ['longer ago', { createdAt: '2026-02-27T10:59:59.999Z' }, false],
    ['another amount', { amountMinor: SAMPLE.amountMinor - 1n }, false],
    ['another currency', { currency: 'USD' }, false],
    ['rejected', { state: 'REJECTED' }, false],
    [
      'rejected, and the provider holds a record of it all the same',
      { state: 'REJECTED', alert: 'contradiction' },
      true,
    ],
    ['cancelled', { state: 'CANCELLED' }, false],
    [
      'cancelled, and a restore may have lost a send of it',
      { state: 'CANCELLED', mayHaveLeft: true },
      true,
    ],
    ['waiting for approval', { state: 'AWAITING_APPROVAL' }, true],
    ['returned for sure', { returned: 'CONFIRMED' }, false],
    ['announced as returned, unproven', { returned: 'REPORTED' }, true],
  ] as [string, Partial<OwnMovement>, boolean][])('%s', (_name, changes, expected) => {
    expect(codes(sampleFacts({ recent: [{ ...twin, ...changes }] })).includes('duplicate')).toBe(
      expected,
    );
  });

  it('speaks of the latest and counts all', () => {
    const recent = [
      twin,
      { ...twin, id: 'later', createdAt: '2026-03-06T09:00:00.000Z', maker: null },
    ];
    expect(find(sampleFacts({ recent }), 'duplicate')).toMatchObject({
      movementId: 'later',
      params: { count: 2, maker: 'nobody' },
    });
  });
});

describe('the recipient', () => {
  it('is known once the name or the number was paid on this IBAN', () => {
    const elsewhere = sampleMovement({ id: 'x', iban: 'TR470000100100000350930001' });
    const here = sampleMovement({ id: 'y', name: 'Abc Ltd.', amountMinor: 1n });
    expect(codes(sampleFacts({ recent: [elsewhere] }))).toContain('payee_other_iban');
    expect(codes(sampleFacts({ recent: [elsewhere, here] }))).not.toContain('payee_other_iban');
  });

  it('is recognised whatever i a keyboard has', () => {
    const recent = [
      sampleMovement({ iban: 'TR470000100100000350930001', name: 'IŞIK TEKSTİL', taxNumber: '0' }),
    ];
    const facts = sampleFacts({ recent });
    expect(
      find({ ...facts, content: { ...facts.content, name: 'ışık tekstil' } }, 'payee_other_iban'),
    ).toMatchObject({ params: { match: 'name' } });
    expect(
      find({ ...facts, content: { ...facts.content, name: 'Isik Tekstil' } }, 'payee_other_iban'),
    ).toBeDefined();
  });

  it('is not returned any more after a later payment arrived', () => {
    expect(codes(sampleFacts({ recent: [RETURNED_ONE] }))).toContain('last_returned');
    expect(
      codes(
        sampleFacts({
          recent: [
            RETURNED_ONE,
            sampleMovement({ id: 'z', createdAt: '2026-03-05T09:00:00.000Z', amountMinor: 1n }),
          ],
        }),
      ),
    ).not.toContain('last_returned');
  });

  it('was never paid by a payment that was rejected', () => {
    expect(codes(sampleFacts({ recent: [sampleMovement({ state: 'REJECTED' })] }))).toContain(
      'first_payment',
    );
  });
});

describe('an account that was changed by hand', () => {
  const changed = (at: string, recent: OwnMovement[]): Finding | undefined =>
    find(
      sampleFacts({
        saved: { name: 'ABC Ltd.', changed: { at, by: 'Mehmet K.', before: null }, retired: null },
        recent,
      }),
      'iban_changed',
    );
  const paid = sampleMovement({ amountMinor: 1n });

  it('is a caution to whoever pays next, however long ago, until money has arrived there since', () => {
    expect(changed('2024-03-05T09:00:00.000Z', [])).toMatchObject({
      level: 'warn',
      params: { how: 'added', by: 'Mehmet K.' },
    });
    expect(changed('2026-03-05T09:00:00.000Z', [paid])).toMatchObject({ level: 'warn' });
    expect(changed('2026-03-01T09:00:00.000Z', [{ ...paid, returned: 'CONFIRMED' }])).toMatchObject(
      {
        level: 'warn',
      },
    );
    expect(changed('2026-03-01T09:00:00.000Z', [{ ...paid, state: 'PENDING' }])).toMatchObject({
      level: 'warn',
    });
  });

  it('is said once: the account it took the place of is not told again as another IBAN of the name', () => {
    const old = sampleMovement({ iban: 'TR470000100100000350930001', amountMinor: 1n });
    const saved = {
      name: 'ABC Ltd.',
      changed: { at: '2026-03-05T09:00:00.000Z', by: 'Mehmet K.', before: old.iban },
      retired: null,
    };
    expect(codes(sampleFacts({ saved, recent: [old] }))).not.toContain('payee_other_iban');
    expect(
      codes(
        sampleFacts({
          saved,
          recent: [old, { ...old, id: 'third', iban: 'TR809999900000000000000001' }],
        }),
      ),
    ).toContain('payee_other_iban');
  });

  it('stays told for a month after that, without asking for a reason', () => {
    expect(changed('2026-03-01T09:00:00.000Z', [paid])).toMatchObject({ level: 'info' });
    expect(changed('2026-02-01T09:00:00.000Z', [paid])).toBeUndefined();
  });
});

describe('waiting and limits', () => {
  test.each([
    ['2026-03-06T10:59:22.000Z', 27],
    ['2026-03-06T10:58:55.001Z', 1],
    ['2026-03-06T10:58:55.000Z', null],
    ['2026-03-06T11:05:00.000Z', 65],
  ])('last send at %s waits %s s', (lastSendToIbanAt, seconds) => {
    const finding = find(sampleFacts({ lastSendToIbanAt }), 'same_iban_wait');
    expect(finding?.params.seconds ?? null).toBe(seconds);
  });

  it('the last kuruş may be spent, one more may not', () => {
    const facts = sampleFacts();
    const wallet = (available: bigint): PayoutFacts => ({
      ...facts,
      fee: null,
      wallet: {
        available,
        currency: 'TRY',
        accessLevel: 'active',
        limits: { withdrawal: SAMPLE.amountMinor },
      },
      limitLeft: SAMPLE.amountMinor,
    });
    expect(blocking(checkPayout(wallet(SAMPLE.amountMinor)))).toEqual([]);
    expect(find(wallet(SAMPLE.amountMinor - 1n), 'insufficient_balance')).toMatchObject({
      params: { short: { money: '0.01', currency: 'TRY' } },
    });
  });

  it('a description of 19 letters is too short for 20, one of 20 is not, Turkish letters counting as one', () => {
    const facts = sampleFacts({ paymentType: { code: '07', minDescription: 20 } });
    const described = (description: string): PayoutFacts => ({
      ...facts,
      content: { ...facts.content, description },
    });
    expect(find(described('ğ'.repeat(19)), 'description_too_short')).toMatchObject({
      params: { have: 19, need: 20, more: 1 },
    });
    expect(find(described('ğ'.repeat(20)), 'description_too_short')).toBeUndefined();
    expect(find(described('g\u0306'.repeat(19)), 'description_too_short')).toBeDefined();
  });

  it('fees are a range with its number of samples', () => {
    expect(feeEstimate([])).toBeNull();
    expect(feeEstimate([600n, 800n, 700n])).toEqual({ min: 600n, max: 800n, n: 3 });
  });
});

const anyState = fc.constantFrom(
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'SUBMITTING',
  'UNKNOWN',
  'PENDING',
  'MANUAL_REVIEW',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
);
const anyIban = fc.constantFrom(SAMPLE.iban, 'TR470000100100000350930001', 'x');
const anyAmount = fc.oneof(
  fc.constant(SAMPLE.amountMinor as bigint),
  fc.bigInt({ min: -10n, max: 10n ** 12n }),
);
const anyTime = fc.oneof(
  fc
    .integer({ min: 0, max: 30 * 86_400 })
    .map((s) => new Date(Date.parse('2026-03-06T11:10:00Z') - s * 1000).toISOString()),
  fc.constant('nonsense'),
);
const anyMovement = fc.record({
  id: fc.uuid(),
  iban: anyIban,
  name: fc.constantFrom('ABC Ltd.', 'IŞIK', ''),
  taxNumber: fc.constantFrom('1234567890', '1'),
  amountMinor: anyAmount,
  currency: fc.constantFrom('TRY', 'USD'),
  paymentType: fc.constantFrom('06', null),
  state: anyState,
  returned: fc.constantFrom('NONE', 'REPORTED', 'CONFIRMED'),
  description: fc.constantFrom('Mart faturası', 'Fatura 4711', ''),
  createdAt: anyTime,
  maker: fc.constantFrom('Ayşe', null),
  reasonText: fc.constantFrom('kapalı', null),
}) as fc.Arbitrary<OwnMovement>;
const anyFacts = fc.record({
  content: fc.record(
    {
      id: fc.uuid(),
      source: fc.oneof(
        fc.record({ kind: fc.constant('wallet' as const), number: fc.string() }),
        fc.constant({ kind: 'card_balance' as const }),
      ),
      iban: anyIban,
      name: fc.string(),
      taxNumber: fc.constantFrom('1234567890', 'x'),
      amountMinor: anyAmount.map(minor),
      paymentType: fc.string(),
      description: fc.string(),
    },
    { requiredKeys: [] },
  ),
  wallet: fc.option(
    fc.record({
      available: fc.option(anyAmount),
      currency: fc.constantFrom('TRY', 'USD'),
      accessLevel: fc.constantFrom('active', 'blocked', 'banned', 'closed', 'unknown'),
      limits: fc.record({ withdrawal: fc.option(anyAmount) }),
    }),
  ),
  paymentType: fc.option(fc.record({ code: fc.string(), minDescription: fc.nat(30) })),
  recent: fc.option(fc.array(anyMovement, { maxLength: 8 })),
  lastSendToIbanAt: fc.option(anyTime),
  limitLeft: fc.option(anyAmount),
  fee: fc.option(fc.record({ min: anyAmount, max: anyAmount, n: fc.nat() })),
  now: anyTime,
}) as fc.Arbitrary<PayoutFacts>;

describe('for any facts', () => {
  it('the rules answer, with findings that can be stored, and say the same whatever the order of the list', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const findings = checkPayout(facts);
        expect(JSON.parse(JSON.stringify(findings))).toEqual(findings);
        expect(
          checkPayout({
            ...facts,
            recent: facts.recent === null ? null : [...facts.recent].reverse(),
          }),
        ).toEqual(findings);
        expect(new Set(findings.map((finding) => finding.code)).size).toBe(findings.length);
      }),
      { numRuns: 400 },
    );
  });

  it('no payout passes beside an open unknown of the same amount to the same IBAN, or beyond the balance', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { content, wallet, recent } = facts;
        const blocked = blocking(checkPayout(facts)).length > 0;
        const locked = recent?.some(
          (movement) =>
            movement.id !== content.id &&
            movement.iban === content.iban &&
            movement.amountMinor === content.amountMinor &&
            (wallet === null || movement.currency === wallet.currency) &&
            (movement.state === 'UNKNOWN' || movement.state === 'SUBMITTING'),
        );
        const beyond =
          wallet !== null &&
          content.amountMinor !== undefined &&
          (wallet.available === null || wallet.available < content.amountMinor);
        return !(locked === true || beyond) || blocked;
      }),
      { numRuns: 400 },
    );
  });
});
