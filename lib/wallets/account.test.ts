import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Person, Role } from '#lib/access/actor.ts';
import type { BusinessAccount } from '#lib/providers/wallet/types.ts';

/** What each role sees of the business account. */

const ACCOUNT = {
  id: '6318204417735520001',
  tenantId: '1042',
  parentAccountId: null,
  name: 'Lodos A.Ş.',
  alias: null,
  accountNumber: '4410027815',
  extAccountNumber: null,
  businessType: '1',
  kycLevel: 'Contracted',
  ownerUserId: '6318204417735500103',
  contact: {
    firstName: 'Selin',
    lastName: 'Arslan',
    email: 'finans@lodos.test',
    phone: '5320000142',
    address: ['12. Cadde'],
    postalCode: '34490',
    province: '34',
    country: 'TR',
  },
  taxNumber: '6080412734',
  taxOffice: 'Büyük Mükellefler',
  sectorId: '4641',
  groupCode: null,
  locked: false,
  hidden: false,
  access: 'active',
  accessLevel: '1',
  createdAt: '2026-03-05T21:30:00.1234567Z',
  updatedAt: null,
} satisfies BusinessAccount;

let answer: unknown;
vi.mock('#lib/runtime/env.ts', () => ({ env: () => ({}) }));
vi.mock('#lib/runtime/db.ts', () => ({}));
vi.mock('#lib/providers/wallet/configured-client.ts', () => ({
  walletClient: () => ({ getBusinessAccount: async () => answer }),
}));

const as = async (role: Role) =>
  (await import('./account.ts')).viewAccount({ kind: 'person', role, merchantId: 'm' } as Person);

beforeEach(() => {
  vi.resetModules();
  answer = { kind: 'answered', value: ACCOUNT };
});

describe('the business account', () => {
  it('is shown whole to who may see numbers, with its times read as UTC', async () => {
    expect(await as('clerk')).toMatchObject({
      taxNumber: '6080412734',
      contact: {
        name: 'Selin Arslan',
        email: 'finans@lodos.test',
        phone: '5320000142',
        address: '12. Cadde\n34490 34 TR',
      },
      createdAt: '2026-03-05T21:30:00.123Z',
      masked: false,
    });
  });

  it('is masked for a role without personal data: no field has a number or an address of a person', async () => {
    const view = await as('support');
    expect(view).toMatchObject({
      taxNumber: '******2734',
      contact: { email: 'f***@lodos.test', phone: '********42' },
      masked: true,
    });
    for (const hidden of ['6080412734', 'finans@', '5320000142'])
      expect(JSON.stringify(view)).not.toContain(hidden);
  });

  it('is nothing when the provider cannot be asked, and a lock stops it whatever its level says', async () => {
    answer = { kind: 'no_answer', why: 'timeout' };
    expect(await as('owner')).toBeNull();
    const { isAccountStopped } = await import('./account.ts');
    expect(
      [
        { access: 'active', locked: false },
        { access: 'active', locked: true },
        { access: 'blocked', locked: false },
        { access: 'unknown', locked: false },
      ].map((one) => isAccountStopped(one as never)),
    ).toEqual([false, true, true, true]);
  });
});
