import { describe, expect, it, test } from 'vitest';
import { transferFieldErrors, transferSchema } from './schema.ts';

const ID = '0b6f3c1e-9d1a-4f0a-8f4e-0a1b2c3d4e5f';
const COMMON = {
  id: ID,
  wallet: '4410270001',
  amount: '1.234,56',
  locale: 'tr',
  paymentType: '06',
  description: 'Fatura 4711',
};
const FORMS = {
  person: {
    ...COMMON,
    kind: 'transfer_person',
    by: 'phone',
    country: '90',
    phone: '0533 000 02 01',
    name: 'Elif Şahin',
    toWallet: '5510100001',
  },
  business: {
    ...COMMON,
    kind: 'transfer_business',
    toWallet: '4488 8108 01',
    name: 'Kuzey Makina',
  },
  own: { ...COMMON, kind: 'transfer_own', toWallet: '4410270002' },
};

function errors(form: Record<string, unknown>): string[] {
  const parsed = transferSchema.safeParse(form);
  return parsed.success
    ? []
    : transferFieldErrors(parsed.error).map(({ field, code }) => `${field} ${code}`);
}

describe('a transfer', () => {
  it('is read whole, each kind with its own parts and none of the others’', () => {
    expect(transferSchema.parse(FORMS.person).content).toEqual({
      id: ID,
      kind: 'transfer_person',
      wallet: '4410270001',
      key: { by: 'phone', country: '90', phone: '5330000201' },
      toWallet: '5510100001',
      name: 'Elif Şahin',
      amountMinor: 123_456n,
      paymentType: '06',
      description: 'Fatura 4711',
    });
    expect(
      transferSchema.parse({ ...FORMS.person, by: 'account', account: '5510000001', phone: '' })
        .content.key,
    ).toEqual({ by: 'account', account: '5510000001' });
    expect(transferSchema.parse({ ...FORMS.business, phone: '5330000201' }).content).toMatchObject({
      key: null,
      toWallet: '4488810801',
      name: 'Kuzey Makina',
    });
    expect(transferSchema.parse({ ...FORMS.own, name: 'whatever' }).content).toMatchObject({
      key: null,
      toWallet: '4410270002',
      name: '',
      paymentType: '',
    });
  });

  test.each([
    ['person', { phone: '' }, 'phone phone_required'],
    ['person', { toWallet: '' }, 'name person_not_checked'],
    ['person', { name: '' }, 'name name_too_short'],
    ['person', { by: 'account' }, 'account account_required'],
    ['business', { toWallet: '' }, 'toWallet to_wallet_required'],
    ['business', { toWallet: 'TR33' }, 'toWallet to_wallet_invalid'],
    ['business', { paymentType: '' }, 'paymentType payment_type_required'],
    ['business', { toWallet: COMMON.wallet }, 'toWallet same_wallet'],
    ['own', { toWallet: '' }, 'toWallet to_own_required'],
    ['own', { toWallet: COMMON.wallet }, 'toWallet same_wallet'],
    ['own', { amount: '0' }, 'amount amount_zero'],
    ['own', { amount: '-5' }, 'amount amount_negative'],
    ['own', { amount: '1,500' }, 'amount amount_ambiguous'],
    ['own', { kind: 'payout' }, 'kind kind_required'],
    ['own', { id: 'x' }, 'id id_invalid'],
    ['own', { description: 'a\u202eb' }, 'description description_control_characters'],
  ] as const)('%s with %o is refused at its field', (kind, parts, error) => {
    expect(errors({ ...FORMS[kind], ...parts })).toContain(error);
  });

  it('whatever is sent is read or refused, and never throws', () => {
    for (const nothing of [
      null,
      undefined,
      1,
      'x',
      [],
      {},
      { kind: {} },
      { ...FORMS.own, toWallet: ['4410270002'] },
    ])
      expect(() => transferSchema.safeParse(nothing)).not.toThrow();
  });
});
