import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSandbox } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as changing from './change.ts';
import type * as customers from './customers.ts';
import type * as listing from './list.ts';

/**
 * Cards that the gateway stores. The sandbox is the gateway; our database has only four digits of a
 * card.
 */

const NUMBER = '5406675406675403';
const OTHER = '4508034508034509';
let sandbox: Sandbox;
let merchant: TestMerchant;
let web: Process;
let verbs: typeof changing & typeof customers & typeof listing;
let serial = 7_000_000;

beforeAll(async () => {
  sandbox = await startSandbox();
  merchant = await testMerchant();
  vi.doMock('#lib/providers/card/configured-client.ts', () => ({ cardClient: () => sandbox.card }));
  web = await openProcess('dashboard_web');
  verbs = {
    ...(await import('./change.ts')),
    ...(await import('./customers.ts')),
    ...(await import('./list.ts')),
  };
}, 60_000);
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), sandbox.stop()]);
});
afterEach(() => sandbox.control('DELETE', 'faults'));

const clerk = () => merchant.person('clerk');
const newCustomer = (): string => String(++serial);
const register = (customer: string, number = NUMBER) =>
  verbs.registerCard(clerk(), {
    customer: {
      number: customer,
      name: 'Işık Öğüt',
      email: 'isik@ornek.test',
      phone: '5321112233',
    },
    holder: 'Işık Öğüt',
    number,
    expiry: { month: '12', year: '2031' },
  });
const shown = async (customer: string) =>
  (await verbs.cardsOfCustomer(merchant.person('auditor'), customer))!;
const EXPIRY = { month: '01', year: '2032' };

describe('a card', () => {
  it('is saved once, shown by four digits and a handle that is not its token, changed and deleted', async () => {
    const customer = newCustomer();
    expect(await register(customer)).toEqual({ kind: 'done', cards: 1 });
    expect(await register(customer)).toEqual({ kind: 'done', cards: 1 });
    expect(await register(customer, OTHER)).toEqual({ kind: 'done', cards: 2 });
    const kept = await shown(customer);
    expect(kept).toMatchObject({ name: 'Işık Öğüt', cards: [{ card: '5403' }, { card: '4509' }] });
    const listed = await sandbox.card.listSavedCards(customer);
    const tokens = listed.kind === 'answered' ? listed.value.map((card) => card.token) : [];
    expect(tokens.length).toBe(2);
    for (const token of tokens) expect(inspect(kept, { depth: 9 })).not.toContain(token);
    const { handle } = kept.cards[0]!;
    expect(
      await verbs.changeCard(clerk(), { customer, handle, holder: null, expiry: EXPIRY }),
    ).toEqual({ kind: 'done', cards: 2 });
    expect(await verbs.removeCard(clerk(), { customer, handle })).toEqual({
      kind: 'done',
      cards: 1,
    });
    expect((await shown(customer)).cards).toMatchObject([{ card: '4509' }]);
    await expect(verbs.removeCard(clerk(), { customer, handle })).rejects.toMatchObject({
      code: 'saved_card_gone',
    });
  });

  it('of one customer is out of reach by the number of another', async () => {
    const [mine, yours] = [newCustomer(), newCustomer()];
    await register(mine);
    await register(yours);
    const { handle } = (await shown(yours)).cards[0]!;
    await expect(verbs.removeCard(clerk(), { customer: mine, handle })).rejects.toMatchObject({
      code: 'saved_card_gone',
    });
    expect((await shown(yours)).cards.length).toBe(1);
  });

  it('whose saving or deletion got no answer is called unclear, and the next list shows what exists', async () => {
    const customer = newCustomer();
    await sandbox.fault('saveCard', 'lost_after');
    expect(await register(customer)).toEqual({ kind: 'unclear', cards: 1 });
    const { handle } = (await shown(customer)).cards[0]!;
    await sandbox.fault('deleteCard', 'lost_before');
    expect(await verbs.removeCard(clerk(), { customer, handle })).toEqual({
      kind: 'unclear',
      cards: 1,
    });
    await sandbox.fault('deleteCard', 'lost_after');
    expect(await verbs.removeCard(clerk(), { customer, handle })).toEqual({
      kind: 'unclear',
      cards: 0,
    });
  });

  it('is not touched when the list cannot be read just before', async () => {
    const customer = newCustomer();
    await register(customer);
    const { handle } = (await shown(customer)).cards[0]!;
    await sandbox.fault('getCardTokens', 'status', { status: 503 });
    await expect(verbs.removeCard(clerk(), { customer, handle })).rejects.toMatchObject({
      code: 'saved_cards_unread',
    });
    await sandbox.control('DELETE', 'faults');
    expect((await shown(customer)).cards.length).toBe(1);
  });

  it('that the gateway does not take is not saved, and its code says why', async () => {
    expect(await register(newCustomer(), '4000000000000861')).toEqual({
      kind: 'refused',
      code: '86',
      cards: 0,
    });
  });

  it('is not saved, changed or deleted by a role that may only look', async () => {
    const customer = newCustomer();
    await register(customer);
    const { handle } = (await shown(customer)).cards[0]!;
    for (const role of ['support', 'auditor'] as const) {
      await expect(
        verbs.registerCard(merchant.person(role), {
          customer: { number: customer },
          holder: 'x',
          number: OTHER,
          expiry: EXPIRY,
        }),
      ).rejects.toMatchObject({ code: 'not_allowed' });
      await expect(
        verbs.removeCard(merchant.person(role), { customer, handle }),
      ).rejects.toMatchObject({ code: 'not_allowed' });
    }
    expect((await shown(customer)).cards.length).toBe(1);
  });
});

describe('a card number', () => {
  it('goes to the gateway only: no table, audit entry or error has a token or more than four digits', async () => {
    const customer = newCustomer();
    await register(customer);
    await sandbox.fault('saveCard', 'lost_after');
    await register(customer, OTHER);
    const listed = await sandbox.card.listSavedCards(customer);
    const secrets = [
      NUMBER,
      OTHER,
      NUMBER.slice(0, 12),
      OTHER.slice(0, 12),
      ...(listed.kind === 'answered' ? listed.value.map((card) => card.token) : []),
    ];
    const { rows: tables } = await merchant.owner.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r'
        AND relnamespace = current_schema()::regnamespace`,
    );
    expect(tables.length).toBeGreaterThan(30);
    for (const { name } of tables) {
      for (const secret of secrets) {
        const { rows } = await merchant.owner.query(
          `SELECT 1 FROM ${name} t WHERE t::text LIKE $1 LIMIT 1`,
          [`%${secret}%`],
        );
        expect(rows, name).toEqual([]);
      }
    }
    const { rows } = await merchant.owner.query<{ body: string }>(
      `SELECT body FROM audit_entries WHERE merchant_id = $1 AND action = 'card.saved_asked'
        ORDER BY seq DESC LIMIT 2`,
      [merchant.merchantId],
    );
    expect(rows.map(({ body }) => body).join()).toContain('"5403"');
  });

  it('is not taken where the installation keeps card numbers away', async () => {
    const { env } = await import('#lib/runtime/env.ts');
    const before = env().cardEntry;
    (env() as { cardEntry: string }).cardEntry = '3d';
    try {
      await expect(register(newCustomer())).rejects.toMatchObject({ code: 'card_entry_off' });
      expect(verbs.mayTypeCards()).toBe(false);
    } finally {
      (env() as { cardEntry: string }).cardEntry = before;
    }
  });
});

describe('customers', () => {
  it('are shown whole to who may see a payee’s numbers, and masked to a role that does without', async () => {
    const customer = newCustomer();
    await register(customer);
    expect(await shown(customer)).toMatchObject({ email: 'isik@ornek.test', phone: '5321112233' });
    expect(await verbs.cardsOfCustomer(merchant.person('support'), customer)).toMatchObject({
      email: 'i***@ornek.test',
      phone: '********33',
    });
  });

  it('whose cards were looked at are remembered with four digits each; a number without cards is not', async () => {
    const [with2, without] = [newCustomer(), newCustomer()];
    await register(with2);
    await register(with2, OTHER);
    expect((await shown(without)).cards).toEqual([]);
    const { customers } = await verbs.knownCustomers(merchant.person('support'));
    expect(customers.find((one) => one.number === with2)).toMatchObject({
      name: 'Işık Öğüt',
      cards: ['5403', '4509'],
    });
    expect(customers.find((one) => one.number === without)).toBeUndefined();
  });
});
