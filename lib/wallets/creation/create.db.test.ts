import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewWallet, WalletCreated } from '#lib/providers/wallet/types.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as creating from './create.ts';
import type * as looking from './look.ts';
import type * as viewing from './view.ts';

/** A wallet is requested once, whatever browsers, people and responses do. */

let merchant: TestMerchant;
let web: Process;
let verbs: typeof creating & typeof looking & typeof viewing;

/** The provider: its list of wallets, its responses, and the requests that it received. */
const provider = {
  wallets: [] as { number: string; name: string; currency: string; createdAt: string | null }[],
  total: null as number | null,
  answer: null as (() => Promise<WalletCreated>) | null,
  asked: [] as NewWallet[],
};
const made = (wallet: Partial<(typeof provider.wallets)[number]> = {}) => ({
  number: String(9_000 + provider.wallets.length),
  name: 'Yeni',
  currency: 'TRY',
  createdAt: null,
  ...wallet,
});

beforeAll(async () => {
  merchant = await testMerchant();
  vi.doMock('#lib/providers/wallet/configured-client.ts', () => ({
    walletClient: () => ({
      getBusinessAccount: async () => ({ kind: 'answered', value: { tenantId: '1042' } }),
      listWallets: async () => ({
        kind: 'answered',
        value: {
          rows: provider.wallets,
          index: 0,
          size: 200,
          pageCount: 1,
          rowCount: provider.total ?? provider.wallets.length,
        },
      }),
      createWallet: async (wallet: NewWallet) => {
        provider.asked.push(wallet);
        return provider.answer!();
      },
    }),
  }));
  web = await openProcess('dashboard_web');
  verbs = {
    ...(await import('./create.ts')),
    ...(await import('./look.ts')),
    ...(await import('./view.ts')),
  };
});
afterAll(async () => {
  await web.db.disconnect();
  await merchant.close();
});
beforeEach(async () => {
  await merchant.owner.query(`DELETE FROM wallet_requests WHERE merchant_id = $1`, [
    merchant.merchantId,
  ]);
  Object.assign(provider, {
    wallets: [made({ name: 'Ana' })],
    total: null,
    asked: [],
    answer: async () => ({ kind: 'created', number: '9001' }),
  });
});

const form = (parts: object = {}) => ({
  id: randomUUID(),
  name: 'Yeni',
  currency: 'TRY',
  fastIban: true,
  ...parts,
});
const create = (given = form()) => verbs.createWallet(merchant.person('owner'), given);
const stored = async (id: string) =>
  (
    await merchant.owner.query(
      `SELECT state, number, reason, code, message, numbers_before FROM wallet_requests WHERE id = $1`,
      [id],
    )
  ).rows[0];
const trail = async (id: string) =>
  (
    await merchant.owner.query<{ action: string }>(
      `SELECT action FROM audit_entries WHERE merchant_id = $1 AND subject = $2 ORDER BY seq`,
      [merchant.merchantId, `wallet:${id}`],
    )
  ).rows.map((row) => row.action);
const age = (id: string, seconds: number) =>
  merchant.owner.query(
    `UPDATE wallet_requests SET asked_at = asked_at - make_interval(secs => $2) WHERE id = $1`,
    [id, seconds],
  );
const unclear = async (): Promise<WalletCreated> => ({ kind: 'unclear', why: 'timeout' });

describe('a form', () => {
  it("asks for one wallet, in the account's own tenant, and its row says what became of it", async () => {
    const given = form();
    await create(given);
    expect(provider.asked).toEqual([
      { name: 'Yeni', currency: 'TRY', fastIban: true, tenantId: '1042' },
    ]);
    expect(await stored(given.id)).toMatchObject({
      state: 'CREATED',
      number: '9001',
      numbers_before: ['9000'],
    });
    expect(await trail(given.id)).toEqual(['wallet.asked', 'wallet.created']);
  });

  it('submitted eight times at once, and again later, asks for one wallet', async () => {
    const given = form();
    let answer!: (outcome: WalletCreated) => void;
    provider.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const presses = Array.from({ length: 8 }, () => create(given));
    await vi.waitFor(() => expect(provider.asked).toHaveLength(1), 15_000);
    answer({ kind: 'created', number: '9001' });
    await Promise.all(presses);
    await create(given);
    expect(provider.asked).toHaveLength(1);
  });

  it('has its row before the request leaves: whoever dies then leaves it unclear', async () => {
    const given = form();
    provider.answer = async () => {
      expect(await stored(given.id)).toMatchObject({ state: 'UNCLEAR', reason: null });
      throw new Error('killed');
    };
    await expect(create(given)).rejects.toThrow('killed');
    expect(await stored(given.id)).toMatchObject({ state: 'UNCLEAR', number: null });
    expect(await verbs.openRequest(merchant.person('owner'))).toBe(given.id);
  });

  it.each([
    'group_code',
    'account_not_active',
    'currency',
    'kyc_limit',
    'validation',
    'other',
  ] as const)('refused for %s says so, and the next one may ask', async (reason) => {
    const given = form();
    provider.answer = async () => ({
      kind: 'refused',
      code: reason === 'validation' ? '999' : '500',
      reason,
      message: 'Söz\u0000',
    });
    await create(given);
    expect(await stored(given.id)).toMatchObject({ state: 'REFUSED', reason, message: 'Söz' });
    await create();
    expect(provider.asked).toHaveLength(2);
  });

  it('that never left says so', async () => {
    const given = form();
    provider.answer = async () => ({ kind: 'not_sent', why: 'refused' });
    await create(given);
    expect(await stored(given.id)).toMatchObject({ state: 'NOT_SENT', reason: 'refused' });
    expect(await trail(given.id)).toEqual(['wallet.asked', 'wallet.not_sent']);
  });

  it('with the name of another wallet in that currency asks for nothing, in any letters of its own', async () => {
    expect(await create(form({ name: 'ANA' }))).toEqual({ kind: 'name_taken' });
    expect(await create(form({ name: 'ANA', currency: 'USD' }))).toEqual({ kind: 'asked' });
    expect(provider.asked).toHaveLength(1);
  });

  it('asks for nothing while the list cannot be read to its end', async () => {
    provider.total = 2;
    await expect(create()).rejects.toMatchObject({ code: 'wallet_list_unread' });
    expect(provider.asked).toEqual([]);
  });

  it('of somebody who may not is refused, by every verb', async () => {
    for (const role of ['clerk', 'support', 'auditor'] as const) {
      const person = merchant.person(role);
      for (const verb of [
        () => verbs.createWallet(person, form()),
        () => verbs.lookForWallet(person, randomUUID()),
        () => verbs.giveUpWallet(person, randomUUID()),
        () => verbs.viewRequest(person, randomUUID()),
        () => verbs.walletsSince(person, randomUUID()),
        () => verbs.openRequest(person),
      ]) {
        await expect(verb()).rejects.toMatchObject({ code: 'not_allowed' });
      }
    }
    expect(provider.asked).toEqual([]);
  });
});

describe('an unclear answer', () => {
  it('stays unclear, and keeps every other request back, until the list shows the wallet', async () => {
    const given = form();
    provider.answer = unclear;
    await create(given);
    expect(await stored(given.id)).toMatchObject({ state: 'UNCLEAR', reason: 'timeout' });
    await expect(create(form({ name: 'Başka' }))).rejects.toMatchObject({
      code: 'wallet_request_open',
    });
    expect(await verbs.lookForWallet(merchant.person('owner'), given.id)).toBe('not_listed');
    expect(provider.asked).toHaveLength(1);

    provider.wallets.push(made({ number: '9007' }));
    expect(await verbs.lookForWallet(merchant.person('approver'), given.id)).toBe('found');
    expect(await stored(given.id)).toMatchObject({ state: 'CREATED', number: '9007' });
    expect(await trail(given.id)).toEqual(['wallet.asked', 'wallet.unclear', 'wallet.found']);
    provider.answer = async () => ({ kind: 'created', number: '9008' });
    await create(form({ name: 'Başka' }));
    expect(provider.asked).toHaveLength(2);
  });

  it('whose wallet is there at once is found at once', async () => {
    const given = form();
    provider.answer = async () => {
      provider.wallets.push(made({ number: '9007' }));
      return unclear();
    };
    await create(given);
    expect(await stored(given.id)).toMatchObject({ state: 'CREATED', number: '9007' });
  });

  it('is not settled by a wallet of another name or currency, an older one, or one of another request', async () => {
    const earlier = form({ name: 'Eski' });
    provider.answer = async () => ({ kind: 'created', number: '9050' });
    await create(earlier);
    const given = form();
    provider.answer = unclear;
    await create(given);
    provider.wallets.push(
      made({ number: '9050' }),
      made({ number: '9060', name: 'Yeni 2' }),
      made({ number: '9061', currency: 'USD' }),
    );
    expect(await verbs.lookForWallet(merchant.person('owner'), given.id)).toBe('not_listed');
    expect(await verbs.walletsSince(merchant.person('owner'), given.id)).toMatchObject({
      count: 4,
      appeared: [{ number: '9060' }, { number: '9061' }],
    });
  });

  it('is settled as not made by a person only, not too early, and never without or against the list', async () => {
    const owner = merchant.person('owner');
    const given = form();
    provider.answer = unclear;
    await create(given);
    await expect(verbs.giveUpWallet(owner, given.id)).rejects.toMatchObject({
      code: 'wallet_request_young',
    });
    await age(given.id, 121);
    provider.total = 9;
    await expect(verbs.giveUpWallet(owner, given.id)).rejects.toMatchObject({
      code: 'wallet_list_unread',
    });
    provider.total = null;
    expect(await verbs.giveUpWallet(owner, given.id)).toBe('given_up');
    expect(await stored(given.id)).toMatchObject({ state: 'NOT_MADE', number: null });
    expect((await trail(given.id)).at(-1)).toBe('wallet.given_up');
    await expect(verbs.lookForWallet(owner, given.id)).rejects.toMatchObject({
      code: 'wallet_request_over',
    });

    const second = form();
    await create(second);
    await age(second.id, 121);
    provider.wallets.push(made({ number: '9070' }));
    expect(await verbs.giveUpWallet(owner, second.id)).toBe('found');
    expect(await stored(second.id)).toMatchObject({ state: 'CREATED', number: '9070' });
  });
});

describe('what is known once', () => {
  it('is changed by no statement of the web, and a late answer does not undo it', async () => {
    const given = form();
    await create(given);
    const changed = await web.db.inTransaction(
      merchant.merchantId,
      (tx) => tx.$executeRaw`UPDATE wallet_requests SET state = 'NOT_MADE', number = NULL`,
    );
    expect(changed).toBe(0);
    expect(await stored(given.id)).toMatchObject({ state: 'CREATED' });
  });
});
