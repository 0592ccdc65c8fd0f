import { describe, expect, it, test } from 'vitest';
import { minor } from '#lib/values/money.ts';
import { TRANSFER_KINDS } from '#lib/movements/kinds.ts';
import { checkTransfer } from './rules.ts';
import type { OwnTransfer, TransferFacts, TransferFinding } from './rules.ts';

const NOW = '2026-03-06T11:00:00.000Z';

function earlier(given: Partial<OwnTransfer> = {}): OwnTransfer {
  return {
    id: 'm1',
    toWallet: '5510100001',
    name: 'Elif Şahin',
    amountMinor: 10_000n,
    currency: 'TRY',
    paymentType: '06',
    description: 'x',
    state: 'COMPLETED',
    returned: 'NONE',
    createdAt: '2026-03-05T11:00:00.000Z',
    maker: 'Ayşe T.',
    reasonText: null,
    ...given,
  };
}

function facts(
  given: Partial<TransferFacts> = {},
  content: Partial<TransferFacts['content']> = {},
): TransferFacts {
  return {
    content: {
      id: 'new',
      kind: 'transfer_business',
      wallet: '4410270001',
      key: null,
      toWallet: '5510100001',
      name: 'Elif Şahin',
      amountMinor: minor(10_000n),
      paymentType: '06',
      description: 'Fatura 1',
      ...content,
    },
    writtenCurrency: null,
    wallet: {
      available: 1_000_000n,
      currency: 'TRY',
      accessLevel: 'active',
      limits: { withdrawal: null },
    },
    receiver: null,
    person: null,
    paymentType: { code: '06', minDescription: 0 },
    recent: [],
    saved: null,
    foreign: [],
    fee: null,
    now: NOW,
    ...given,
  };
}

const codes = (given: TransferFacts): string[] =>
  checkTransfer(given).map(({ code, level }) => `${level} ${code}`);
const one = (given: TransferFacts, code: string): TransferFinding | undefined =>
  checkTransfer(given).find((finding) => finding.code === code);

describe('a wallet that may have been paid', () => {
  test.each(
    TRANSFER_KINDS.flatMap((now) =>
      (['UNKNOWN', 'SUBMITTING'] as const).map((state) => [now, state] as const),
    ),
  )('locks its amount for %s while that is %s, whichever way it went there', (kind, state) => {
    const open = facts(
      {
        recent: [earlier({ state })],
        receiver: { access: 'active', currency: 'TRY' },
        person: { kind: 'found', wallet: '5510100001', name: 'El** Şa***' },
      },
      { kind },
    );
    expect(one(open, 'unknown_same_amount')).toMatchObject({
      level: 'block',
      field: 'amount',
      movementId: 'm1',
    });
    const other = { ...open, content: { ...open.content, amountMinor: minor(10_001n) } };
    expect(one(other, 'unknown_other_amount')).toMatchObject({ level: 'warn' });
    expect(
      codes({ ...open, content: { ...open.content, toWallet: '5510100002' } }).join(),
    ).not.toMatch(/unknown_(?:same|other)_amount/);
  });

  it('whose payment only the provider knows is locked until a person has looked', () => {
    const foreign = {
      toWallet: '5510100001',
      amountMinor: 10_000n,
      currency: 'TRY',
      at: '2026-03-05T11:00:00.000Z',
    };
    expect(codes(facts({ foreign: [{ ...foreign, seen: false }] }))).toContain(
      'block foreign_same_amount',
    );
    expect(codes(facts({ foreign: [{ ...foreign, seen: true }] }))).toContain('warn foreign_known');
  });
});

describe('the same again', () => {
  it('is asked about, between own wallets too: an impatient hand is no weekly till', () => {
    expect(codes(facts({ recent: [earlier()] }))).toContain('warn duplicate');
    const own = codes(
      facts(
        { recent: [earlier()], receiver: { access: 'active', currency: 'TRY' } },
        { kind: 'transfer_own' },
      ),
    );
    expect(own).toEqual(['warn duplicate']);
  });

  it('of a person or business never paid is a first time, and a name that went to another wallet is a caution', () => {
    expect(codes(facts())).toContain('info first_payment');
    expect(
      one(
        facts({ recent: [earlier({ toWallet: '5510100009', amountMinor: 1n })] }),
        'payee_other_iban',
      ),
    ).toMatchObject({ level: 'warn', field: 'toWallet', params: { otherIban: '5510100009' } });
  });
});

describe('who was found', () => {
  const person = (
    found: TransferFacts['person'],
    content: Partial<TransferFacts['content']> = {},
  ) => codes(facts({ person: found }, { kind: 'transfer_person', ...content }));
  const found = { kind: 'found', wallet: '5510100001', name: 'El** Şa***' } as const;

  it('is compared with who was meant', () => {
    expect(person(found)).toContain('ok person_fits');
    expect(person(found, { name: 'Elif Kaya' })).toContain('warn person_similar');
    expect(person(found, { name: 'Ahmet Kaya' })).toContain('warn person_differs');
    expect(person({ ...found, name: null })).toContain('warn person_unnamed');
    expect(person({ kind: 'nobody' })).toContain('block person_nobody');
    expect(person({ kind: 'unchecked' })).toContain('block person_unchecked');
  });

  it('and whose wallet is another one now than the form showed is not paid', () => {
    expect(person({ ...found, wallet: '5510100002' })).toContain('block person_changed');
  });
});

describe('the two wallets', () => {
  test.each(['blocked', 'banned', 'closed'] as const)(
    'one that is %s neither pays nor, of our own, receives',
    (access) => {
      expect(
        codes(
          facts({
            wallet: {
              available: 1_000_000n,
              currency: 'TRY',
              accessLevel: access,
              limits: { withdrawal: null },
            },
          }),
        ),
      ).toContain(`block wallet_${access}`);
      expect(
        codes(facts({ receiver: { access, currency: 'TRY' } }, { kind: 'transfer_own' })),
      ).toContain(`block receiver_${access}`);
    },
  );

  it('have one currency, the balance carries it, and the limit for transfers is kept', () => {
    expect(
      codes(facts({ receiver: { access: 'active', currency: 'USD' } }, { kind: 'transfer_own' })),
    ).toContain('block currencies_differ');
    expect(
      codes(
        facts({
          wallet: {
            available: 9_999n,
            currency: 'TRY',
            accessLevel: 'active',
            limits: { withdrawal: null },
          },
        }),
      ),
    ).toContain('block insufficient_balance');
    expect(
      codes(
        facts({
          wallet: {
            available: 1_000_000n,
            currency: 'TRY',
            accessLevel: 'active',
            limits: { withdrawal: 9_999n },
          },
        }),
      ),
    ).toContain('block limit_exceeded');
  });

  it('in dollars are nothing to remark on: no bank is asked', () => {
    expect(
      codes(
        facts({
          wallet: {
            available: 1_000_000n,
            currency: 'USD',
            accessLevel: 'active',
            limits: { withdrawal: null },
          },
        }),
      ).join(),
    ).not.toContain('currency_not_try');
  });
});

it('a payment type asks for as many letters as the provider says, and between own wallets there is none', () => {
  const long = facts({ paymentType: { code: '07', minDescription: 20 } });
  expect(one(long, 'description_too_short')).toMatchObject({
    level: 'block',
    params: { have: 8, need: 20 },
  });
  expect(
    codes({ ...long, content: { ...long.content, kind: 'transfer_own' } }).join(),
  ).not.toContain('description_too_short');
});
