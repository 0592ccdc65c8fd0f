import { minor } from '#lib/values/money.ts';
import type { OwnMovement } from '#lib/payment-checks/history.ts';
import type {
  Finding,
  FindingCode,
  FindingLevel,
  PayoutFacts,
} from '#lib/payment-checks/findings.ts';
import type { PayoutContent } from './schema.ts';

/** Facts for tests: one ordinary payout, and one set of facts per finding. */

export const SAMPLE: PayoutContent = {
  id: '0b8f3c9e-7a61-4d0a-9a52-3f6f5a1c2d3e',
  source: { kind: 'wallet', number: '1000000001' },
  iban: 'TR850001000000000012345678',
  name: 'ABC Ltd.',
  taxNumber: '1234567890',
  amountMinor: minor(1_240_000n),
  paymentType: '06',
  description: 'Mart faturası',
};

const OTHER_IBAN = 'TR470000100100000350930001';
const UNKNOWN_BANK_IBAN = 'TR809999900000000000000001';

export function sampleMovement(changes: Partial<OwnMovement> = {}): OwnMovement {
  return {
    id: 'm',
    iban: SAMPLE.iban,
    name: 'ABC Ltd.',
    taxNumber: '1234567890',
    amountMinor: 1_000_000n,
    currency: 'TRY',
    paymentType: '06',
    description: 'Şubat faturası',
    state: 'COMPLETED',
    returned: 'NONE',
    createdAt: '2026-03-02T09:00:00.000Z',
    maker: 'Ayşe T.',
    reasonText: null,
    ...changes,
  };
}

/** A manual change to a saved recipient. */
const BY_HAND = { at: '2026-03-05T09:00:00.000Z', by: 'Mehmet K.' };

export const RETURNED_ONE = sampleMovement({ returned: 'CONFIRMED', reasonText: 'Hesap kapalı' });

/** An ordinary payout without warnings. `now` is 14:00 on 6 March 2026 in Istanbul. */
export function sampleFacts(changes: Partial<PayoutFacts> = {}): PayoutFacts {
  return {
    content: SAMPLE,
    wallet: {
      available: 9_631_255n,
      currency: 'TRY',
      accessLevel: 'active',
      limits: { withdrawal: 20_000_000n },
    },
    paymentType: { code: '06', minDescription: 0 },
    recent: [],
    lastSendToIbanAt: null,
    limitLeft: null,
    fee: { min: 600n, max: 800n, n: 41 },
    now: '2026-03-06T11:00:00.000Z',
    ...changes,
  };
}

type Sample = {
  code: FindingCode;
  level: FindingLevel;
  facts: PayoutFacts;
  params: Finding['params'];
};

function sample(
  code: FindingCode,
  level: FindingLevel,
  changes: Partial<PayoutFacts>,
  params: Finding['params'] = {},
): Sample {
  return { code, level, facts: sampleFacts(changes), params };
}

function wallet(changes: Partial<NonNullable<PayoutFacts['wallet']>>): Partial<PayoutFacts> {
  return {
    wallet: {
      available: 9_631_255n,
      currency: 'TRY',
      accessLevel: 'active',
      limits: { withdrawal: 20_000_000n },
      ...changes,
    },
  };
}

const lira = (money: string): { money: string; currency: string } => ({ money, currency: 'TRY' });
const twin = sampleMovement({ amountMinor: SAMPLE.amountMinor });
/** The same payment in the provider's records only. */
const lost = {
  iban: SAMPLE.iban,
  amountMinor: SAMPLE.amountMinor,
  currency: 'TRY',
  at: '2026-03-05T09:00:00.000Z',
};

export const SAMPLES: Sample[] = [
  sample('iban_ok', 'ok', {}, { bank: 'Ziraat Bankası' }),
  sample(
    'iban_ok_bank_unknown',
    'ok',
    { content: { iban: UNKNOWN_BANK_IBAN } },
    { bankCode: '99999' },
  ),
  sample('iban_invalid', 'block', { content: { iban: 'TR00' } }),
  sample('tax_ok', 'ok', {}, { type: 'VKN' }),
  sample('tax_invalid', 'block', { content: { taxNumber: '1234567891' } }),
  sample('wallet_blocked', 'block', wallet({ accessLevel: 'blocked' })),
  sample('wallet_banned', 'block', wallet({ accessLevel: 'banned' })),
  sample('wallet_closed', 'block', wallet({ accessLevel: 'closed' })),
  sample('wallet_status_unknown', 'warn', wallet({ accessLevel: 'unknown' })),
  sample('currency_not_try', 'info', wallet({ currency: 'USD' }), { currency: 'USD' }),
  sample(
    'other_currency',
    'block',
    { writtenCurrency: 'EUR' },
    { written: 'EUR', currency: 'TRY' },
  ),
  sample('balance_unknown', 'block', wallet({ available: null })),
  sample('insufficient_balance', 'block', wallet({ available: 1_000_000n }), {
    available: lira('10000.00'),
    short: lira('2400.00'),
  }),
  sample('fee_may_not_fit', 'warn', wallet({ available: 1_240_700n }), {
    left: lira('7.00'),
    feeMin: lira('6.00'),
    feeMax: lira('8.00'),
  }),
  sample('limit_exceeded', 'block', wallet({ limits: { withdrawal: 1_000_000n } }), {
    limit: lira('10000.00'),
  }),
  sample('limit_left_exceeded', 'warn', { limitLeft: -5n }, { left: lira('0.00') }),
  sample(
    'description_too_short',
    'block',
    { paymentType: { code: '07', minDescription: 20 } },
    { have: 13, need: 20, more: 7 },
  ),
  sample(
    'unknown_same_amount',
    'block',
    { recent: [{ ...twin, state: 'SUBMITTING' }] },
    { amount: lira('12400.00'), at: { at: twin.createdAt } },
  ),
  sample(
    'unknown_other_amount',
    'warn',
    { recent: [sampleMovement({ state: 'UNKNOWN' })] },
    { amount: lira('10000.00') },
  ),
  sample(
    'unknown_same_payee',
    'warn',
    { recent: [{ ...twin, state: 'UNKNOWN', iban: OTHER_IBAN }] },
    { otherIban: { iban: OTHER_IBAN } },
  ),
  sample(
    'foreign_same_amount',
    'block',
    { foreign: [{ ...lost, seen: false }] },
    { amount: lira('12400.00'), at: { at: lost.at } },
  ),
  sample(
    'foreign_known',
    'warn',
    { foreign: [{ ...lost, seen: true }] },
    { amount: lira('12400.00') },
  ),
  sample(
    'duplicate',
    'warn',
    { recent: [twin] },
    {
      amount: lira('12400.00'),
      at: { at: twin.createdAt },
      state: 'COMPLETED',
      maker: 'Ayşe T.',
      count: 1,
    },
  ),
  sample(
    'duplicate_other_iban',
    'warn',
    { recent: [{ ...twin, iban: OTHER_IBAN }] },
    { otherIban: { iban: OTHER_IBAN }, count: 1 },
  ),
  sample(
    'duplicate_invoice',
    'warn',
    {
      content: { ...SAMPLE, description: 'Fatura 4711' },
      recent: [{ ...twin, description: 'FATURA 4711', createdAt: '2026-01-02T09:00:00.000Z' }],
    },
    { description: 'FATURA 4711' },
  ),
  sample(
    'near_duplicate',
    'warn',
    { recent: [{ ...twin, amountMinor: 1_240_050n, description: SAMPLE.description }] },
    { amount: lira('12400.50'), state: 'COMPLETED' },
  ),
  sample(
    'last_returned',
    'warn',
    { recent: [RETURNED_ONE] },
    { returned: 'CONFIRMED', reason: 'Hesap kapalı', amount: lira('10000.00') },
  ),
  sample(
    'iban_changed',
    'warn',
    { saved: { name: 'ABC Ltd.', changed: { ...BY_HAND, before: OTHER_IBAN }, retired: null } },
    { by: 'Mehmet K.', how: 'changed', otherIban: { iban: OTHER_IBAN } },
  ),
  sample(
    'payee_retired',
    'warn',
    { saved: { name: 'ABC Ltd.', changed: null, retired: { ...BY_HAND, now: OTHER_IBAN } } },
    { by: 'Mehmet K.', how: 'replaced' },
  ),
  sample(
    'payee_other_iban',
    'warn',
    { recent: [sampleMovement({ iban: OTHER_IBAN, name: 'Başka Ad' })] },
    { match: 'tax_number', otherIban: { iban: OTHER_IBAN }, iban: { iban: SAMPLE.iban } },
  ),
  sample(
    'iban_other_name',
    'info',
    { recent: [sampleMovement({ name: 'XYZ A.Ş.', taxNumber: '0' })] },
    { name: 'XYZ A.Ş.' },
  ),
  sample('first_payment', 'info', {}),
  sample(
    'above_usual',
    'info',
    { recent: ['1', '2', '3'].map((id) => sampleMovement({ id, amountMinor: 100_000n })) },
    { times: 12, low: lira('1000.00'), high: lira('1000.00'), count: 3 },
  ),
  sample(
    'same_iban_wait',
    'wait',
    { lastSendToIbanAt: '2026-03-06T10:59:38.000Z' },
    { seconds: 43 },
  ),
];
