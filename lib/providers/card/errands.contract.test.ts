/**
 * Tests the card client's operations other than payments against the sandbox, which was written
 * from the same contracts and shares no code with the client.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freshIban, startSandbox } from '../sandbox-fixture.ts';
import type { Sandbox } from '../sandbox-fixture.ts';
import type { CashoutContent, CashoutRow } from './cashout-body.ts';
import { TypedCard } from './typed-card.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 30_000);
afterAll(() => sandbox?.stop());
afterEach(async () => {
  await sandbox.control('DELETE', 'faults');
});

const NOW = { beforeWrite: () => true };
const settings = (body: object) => sandbox.control('POST', 'card/settings', body);

describe('ways to pay', () => {
  test('of a card have one row per installment count, single payment first, each with its price', async () => {
    const answer = await sandbox.card.getPos({
      card: { prefix: '450803' },
      amountMinor: 12_345n,
      currency: 'TRY',
    });
    if (answer.kind !== 'answered') throw new Error(JSON.stringify(answer));
    expect(answer.value[0]).toMatchObject({
      installments: 1,
      payableMinor: 12_345n,
      currency: 'TRY',
      scheme: 'visa',
    });
    const counts = answer.value.map((option) => option.installments);
    expect(counts.length).toBeGreaterThan(1);
    expect(new Set(counts).size).toBe(counts.length);
    expect(answer.value.every((option) => option.payableMinor >= 12_345n)).toBe(true);
  });

  test('of a plan are single payments', async () => {
    const answer = await sandbox.card.getPos({
      card: { prefix: '45080345' },
      amountMinor: 12_345n,
      currency: 'TRY',
      recurring: true,
      nonSecure: true,
      commissionBy: 'user',
    });
    if (answer.kind !== 'answered') throw new Error(JSON.stringify(answer));
    expect(
      answer.value.every((option) => option.installments === 1 && option.payableMinor >= 12_345n),
    ).toBe(true);
  });

  test("that the merchant does not have are named by the gateway's code", async () => {
    await settings({ pos: false });
    expect(
      await sandbox.card.getPos({ card: { prefix: '450803' }, amountMinor: 100n, currency: 'TRY' }),
    ).toEqual({ kind: 'no_answer', why: 'unknown_code', code: '36' });
    await settings({ pos: true, most_installments: 0 });
    expect(await sandbox.card.listInstallments()).toEqual({ kind: 'answered', value: [] });
    await settings({ most_installments: 12 });
    expect(await sandbox.card.listInstallments()).toMatchObject({
      kind: 'answered',
      value: expect.arrayContaining([1, 2, 3]) as number[],
    });
  });

  test('cost what the table of commissions says, in exact text', async () => {
    const answer = await sandbox.card.listCommissions({ currency: 'TRY' });
    if (answer.kind !== 'answered') throw new Error(JSON.stringify(answer));
    expect(answer.value.length).toBeGreaterThan(1);
    for (const row of answer.value) {
      expect(row.installments).toBeGreaterThan(0);
      for (const text of [row.merchantPercent, row.merchantFixed, row.userPercent, row.userFixed])
        if (text !== null) expect(text).toMatch(/^\d+\.\d{4}$/);
    }
    await settings({ most_installments: 3 });
    const fewer = await sandbox.card.listCommissions({ currency: 'TRY' });
    expect(
      fewer.kind === 'answered' &&
        fewer.value
          .filter((row) => !row.enabled)
          .every((row) => row.installments > 3 && row.merchantPercent === null),
    ).toBe(true);
    expect(fewer.kind === 'answered' && fewer.value.some((row) => !row.enabled)).toBe(true);
    await settings({ most_installments: 12 });
    for (const commission of ['no_data', 'missing']) {
      await settings({ commission });
      expect(await sandbox.card.listCommissions({ currency: 'TRY' })).toEqual({
        kind: 'answered',
        value: [],
      });
    }
    await settings({ commission: 'set' });
  });
});

const NUMBER = '4508034508034509';
let customers = 9_000_000_000_000_000_000n;
const typed = (number = NUMBER) =>
  new TypedCard({
    holder: 'Işık Çağrı Öğüt',
    number,
    expiryMonth: '12',
    expiryYear: '2030',
    securityCode: null,
  });
const newCustomer = () => ({
  number: String(++customers),
  name: 'Işık',
  email: 'isik@demo.test',
  phone: '5551112233',
});
async function save(customer = newCustomer()): Promise<{ customerNumber: string; token: string }> {
  const outcome = await sandbox.card.saveCard(customer, typed());
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return { customerNumber: customer.number, token: outcome.value };
}

describe('a saved card', () => {
  test("is listed for its customer alone, without its number, and every digit of the customer's", async () => {
    const card = await save();
    expect(card.customerNumber).toHaveLength(19);
    const cards = await sandbox.card.listSavedCards(card.customerNumber);
    expect(cards).toMatchObject({
      kind: 'answered',
      value: [
        {
          token: card.token,
          customerNumber: card.customerNumber,
          bin: NUMBER.slice(0, 6),
          customerName: 'Işık',
        },
      ],
    });
    expect(JSON.stringify(cards)).not.toContain(NUMBER);
    expect(cards.kind === 'answered' && cards.value[0]?.masked).toMatch(/^450803\*+4509$/);
    expect(await sandbox.card.listSavedCards(String(++customers))).toEqual({
      kind: 'answered',
      value: [],
    });
  });

  test('saved again keeps its token', async () => {
    const customer = newCustomer();
    expect(await save(customer)).toEqual(await save(customer));
  });

  test('is changed, and deleted once', async () => {
    const card = await save();
    expect(
      await sandbox.card.editCard({
        ...card,
        expiryMonth: '01',
        expiryYear: '2031',
        holderName: 'Ayşe',
      }),
    ).toEqual({ kind: 'done', value: card.token });
    expect(await sandbox.card.deleteCard(card)).toEqual({ kind: 'done', value: null });
    expect(await sandbox.card.deleteCard(card)).toEqual({ kind: 'not_found' });
    expect(await sandbox.card.editCard({ ...card, expiryMonth: '01', expiryYear: '2031' })).toEqual(
      { kind: 'not_found' },
    );
    expect(await sandbox.card.listSavedCards(card.customerNumber)).toEqual({
      kind: 'answered',
      value: [],
    });
  });

  test('with a number that is none is refused', async () => {
    expect(await sandbox.card.saveCard(newCustomer(), typed('4508034508034500'))).toEqual({
      kind: 'refused',
      code: '108',
    });
  });

  test('of another customer is not there', async () => {
    const card = await save();
    expect(await sandbox.card.deleteCard({ ...card, customerNumber: String(++customers) })).toEqual(
      { kind: 'not_found' },
    );
  });

  test('is neither saved nor refused by an answer that says nothing', async () => {
    for (const [kind, more] of [
      ['status', { status: 503 }],
      ['html', {}],
      ['reset', {}],
      ['unknown_code', {}],
      ['truncated', {}],
      ['malformed', {}],
      ['lost_after', {}],
    ] as const) {
      await sandbox.fault('saveCard', kind, more);
      expect((await sandbox.card.saveCard(newCustomer(), typed())).kind).toBe('no_answer');
    }
  });
});

const row = (more: Partial<CashoutRow> = {}): CashoutRow => ({
  uniqueId: `C-${randomUUID()}`,
  name: 'Işık Çağrı Öğüt',
  iban: freshIban(),
  bankName: null,
  amountMinor: 12_345n,
  taxNumber: null,
  phone: '+905551112233',
  description: 'Hakediş',
  ...more,
});
const cashout = (...rows: CashoutRow[]): CashoutContent => ({
  currency: 'TRY',
  rows,
  reverseKey: null,
});
const cashouts = async (): Promise<number> =>
  (await sandbox.control<unknown[]>('GET', 'requests?operation=tobank')).length;
const paid = async (uniqueId: string): Promise<number> => {
  const { cashouts: all } = await sandbox.control<{ cashouts: Record<string, unknown>[] }>(
    'GET',
    'card',
  );
  return all.filter((one) => one['unique_id'] === uniqueId).length;
};

describe('a cashout', () => {
  test('of several rows is accepted as a whole, and each is paid once', async () => {
    const content = cashout(
      row(),
      row({ amountMinor: 5n, bankName: 'Garanti', taxNumber: '10000000146' }),
    );
    expect(await sandbox.card.sendCashout(content, NOW)).toMatchObject({
      kind: 'accepted',
      code: '100',
    });
    for (const { uniqueId } of content.rows) expect(await paid(uniqueId)).toBe(1);
  });

  test('of which one row cannot be paid names that row, and the others are paid', async () => {
    const [good, bad] = [row(), row({ iban: 'TR000006100519786457841326' })];
    const outcome = await sandbox.card.sendCashout(cashout(good, bad), NOW);
    expect(outcome).toMatchObject({
      kind: 'partly_accepted',
      accepted: [good.uniqueId],
      refused: [{ uniqueId: bad.uniqueId }],
    });
    expect([await paid(good.uniqueId), await paid(bad.uniqueId)]).toEqual([1, 0]);
  });

  test('held back at the last moment never reaches the gateway', async () => {
    const before = await cashouts();
    expect(
      await sandbox.card.sendCashout(cashout(row()), { beforeWrite: () => false }),
    ).toMatchObject({ kind: 'not_sent', why: 'held_back' });
    expect(await cashouts()).toBe(before);
  });

  test.each([
    ['lost before the work', 'lost_before', {}, 0],
    ['lost after the work', 'lost_after', {}, 1],
    ['a reset', 'reset', {}, 0],
    ['500', 'status', { status: 500 }, 0],
    ['502 after the work', 'status', { status: 502, work: true }, 1],
    ['429', 'status', { status: 429 }, 0],
    ['307', 'status', { status: 307, work: true }, 1],
    ['an HTML page', 'html', {}, 0],
    ['broken JSON', 'malformed', {}, 1],
    ['a cut answer', 'truncated', {}, 1],
    ['an answer that drips', 'slowloris', { ms: 500 }, 1],
    ['an unknown code', 'unknown_code', {}, 0],
    ['code 49', 'code', { code: '49' }, 0],
  ] as const)('is one request and unclear after %s', async (_name, kind, more, executions) => {
    const [content, before] = [cashout(row()), await cashouts()];
    await sandbox.fault('cashout/tobank', kind, more);
    expect((await sandbox.card.sendCashout(content, NOW)).kind).toBe('unclear');
    expect((await cashouts()) - before).toBe(1);
    expect(await paid(content.rows[0]?.uniqueId ?? '')).toBe(executions);
  });

  test('with another secret is refused by its hash', async () => {
    await sandbox.fault('cashout/tobank', 'code', { code: '422' });
    expect(await sandbox.card.sendCashout(cashout(row()), NOW)).toMatchObject({
      kind: 'refused',
      code: '422',
    });
  });
});
