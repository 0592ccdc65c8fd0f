import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as flows from './flow.ts';

/** The days of a wallet, computed from the mirror of the ledger. */

const WALLET = '4410270001';
/** 12:00 on 6 March in Istanbul. */
const NOW = '2026-03-06T09:00:00.000Z';
let merchant: TestMerchant;
let web: Process;
let walletFlow: typeof flows.walletFlow;
let serial = 0;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  ({ walletFlow } = await import('./flow.ts'));
});
afterAll(async () => {
  await web.db.disconnect();
  await merchant.close();
});
beforeEach(async () => {
  for (const table of ['ledger_records', 'record_days'])
    await merchant.owner.query(`DELETE FROM ${table} WHERE merchant_id = $1`, [
      merchant.merchantId,
    ]);
  for (let day = 0; day < 90; day++)
    await read(new Date(Date.parse('2026-03-06') - day * 86_400_000).toISOString().slice(0, 10));
});

type Line = {
  at: string;
  completed?: string;
  from?: string;
  to?: string;
  amount: number;
  fee?: number;
  status?: number;
  currency?: string;
  received?: number;
  receiverFee?: number;
  refersTo?: string;
  direction?: 'in' | 'out';
  updated?: string;
};
async function line({
  at,
  completed,
  from,
  to,
  amount,
  fee = 0,
  status = 20,
  currency = 'TRY',
  received,
  receiverFee,
  refersTo,
  direction = from === undefined ? 'in' : 'out',
  updated,
}: Line): Promise<string> {
  const id = String(++serial);
  await merchant.owner.query(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, received_minor, receiver_fee_minor, currency, from_wallet, to_wallet, created_at,
      completed_at, raw, refers_to, updated_at)
     VALUES ($1, $2, 2002, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, '{}', $14, $15)`,
    [
      merchant.merchantId,
      id,
      status,
      direction,
      amount,
      fee,
      received ?? null,
      receiverFee ?? null,
      currency,
      from ?? null,
      to ?? null,
      at,
      completed ?? null,
      refersTo ?? null,
      updated ?? null,
    ],
  );
  return id;
}
/**
 * Marks a day of the ledger as read: by default at 9:00 UTC of the next day, after the lag has
 * passed.
 */
async function read(
  day: string,
  at = `${new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)}T09:00:00Z`,
): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO record_days (merchant_id, list, day, read_at)
      VALUES ($1, 'ledger', $2, $3) ON CONFLICT (merchant_id, list, day) DO UPDATE
      SET read_at = excluded.read_at, next_at = NULL`,
    [merchant.merchantId, day, day === '2026-03-06' ? NOW : at],
  );
}
const flow = (last: 7 | 30 | 90 = 7, balance: string | null = '1000.00') =>
  walletFlow(merchant.person('clerk'), { numbers: [WALLET], currency: 'TRY', balance }, last, NOW);
const moved = (series: flows.WalletFlow['series']) =>
  series.flatMap(({ day, flow: own, balance }) =>
    own === null || own.in + own.out > 0n ? [[day, own?.in, own?.out, own?.fees, balance]] : [],
  );

describe('what moved in a wallet', () => {
  it('21:30 UTC belongs to the next Istanbul day, 20:59:59.999 to this one', async () => {
    await line({ at: '2026-03-04T20:59:59.999Z', to: WALLET, amount: 1 });
    await line({ at: '2026-03-04T21:00:00Z', to: WALLET, amount: 20 });
    await line({ at: '2026-03-04T21:30:00Z', to: WALLET, amount: 300 });
    const { series } = await flow();
    expect(series.map(({ day }) => day)).toEqual([
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
      '2026-03-04',
      '2026-03-05',
      '2026-03-06',
    ]);
    expect(moved(series)).toEqual([
      ['2026-03-04', 1n, 0n, 0n, 99_680n],
      ['2026-03-05', 320n, 0n, 0n, 100_000n],
    ]);
  });

  it('counts on the day the money moved, not on the day of the request, also before the first day', async () => {
    await line({
      at: '2026-03-04T09:00:00Z',
      completed: '2026-03-05T21:30:00Z',
      from: WALLET,
      amount: 7,
    });
    await line({
      at: '2026-02-10T09:00:00Z',
      completed: '2026-03-01T09:00:00Z',
      from: WALLET,
      amount: 80,
    });
    expect(moved((await flow()).series).map(([day, , out]) => [day, out])).toEqual([
      ['2026-03-01', 80n],
      ['2026-03-06', 7n],
    ]);
  });

  it('begins with the first moment of the first day and ends with today', async () => {
    await line({ at: '2026-02-27T20:59:59Z', to: WALLET, amount: 7_000 });
    await line({ at: '2026-02-27T21:00:00Z', to: WALLET, amount: 5 });
    await line({ at: '2026-03-06T20:59:59Z', to: WALLET, amount: 9 });
    await line({ at: '2026-03-06T21:00:00Z', to: WALLET, amount: 8_000 });
    expect(moved((await flow()).series).map(([day, into]) => [day, into])).toEqual([
      ['2026-02-28', 5n],
      ['2026-03-06', 9n],
    ]);
  });

  it('counts payouts with their fee, receipts after it, both sides of a transfer, and a return', async () => {
    const at = '2026-03-05T10:00:00Z';
    await line({ at, from: WALLET, amount: 10_000, fee: 640 });
    await line({ at, from: WALLET, to: '4410270002', amount: 500 });
    await line({
      at,
      from: '4410270002',
      to: WALLET,
      amount: 3_000,
      received: 2_900,
      receiverFee: 100,
    });
    const sent = await line({ at, from: WALLET, amount: 2_000, fee: 640, status: 60 });
    await line({ at, to: WALLET, amount: 2_000, refersTo: sent });
    expect(moved((await flow()).series)).toEqual([
      ['2026-03-05', 4_800n, 13_780n, 1_380n, 100_000n],
    ]);
    const other = await walletFlow(
      merchant.person('clerk'),
      { numbers: ['4410270002'], currency: 'TRY', balance: null },
      7,
      NOW,
    );
    expect(moved(other.series)).toEqual([['2026-03-05', 500n, 3_000n, 0n, null]]);
  });

  it('counts a return that only the status shows on its own day, and a debit without a sender as out', async () => {
    await line({
      at: '2026-03-03T10:00:00Z',
      updated: '2026-03-05T10:00:00Z',
      from: WALLET,
      amount: 2_000,
      fee: 640,
      status: 60,
    });
    await line({ at: '2026-03-04T10:00:00Z', to: WALLET, amount: 70, fee: 5, direction: 'out' });
    const { series } = await flow();
    expect(moved(series)).toEqual([
      ['2026-03-03', 0n, 2_640n, 640n, 98_075n],
      ['2026-03-04', 0n, 75n, 5n, 98_000n],
      ['2026-03-05', 2_000n, 0n, 0n, 100_000n],
    ]);
  });

  it('counts back a debit without a sender that was returned, once', async () => {
    const debit = {
      to: WALLET,
      direction: 'out',
      status: 60,
      updated: '2026-03-05T10:00:00Z',
    } as const;
    await line({ ...debit, at: '2026-03-03T10:00:00Z', amount: 70, fee: 5 });
    const credited = await line({ ...debit, at: '2026-03-04T10:00:00Z', amount: 30 });
    await line({ at: '2026-03-05T11:00:00Z', to: WALLET, amount: 30, refersTo: credited });
    expect(moved((await flow()).series)).toEqual([
      ['2026-03-03', 0n, 75n, 5n, 99_930n],
      ['2026-03-04', 0n, 30n, 0n, 99_900n],
      ['2026-03-05', 100n, 0n, 0n, 100_000n],
    ]);
  });

  it('moves each day by what the day close of the wallet counts', async () => {
    const { movedIn } = await import('#lib/reports/day-close/figures.ts');
    const at = (day: number) => `2026-03-0${day}T10:00:00Z`;
    const sent = await line({ at: at(1), from: WALLET, amount: 900, fee: 6, status: 60 });
    await line({ at: at(2), to: WALLET, amount: 900, refersTo: sent });
    await line({ at: at(2), updated: at(3), to: WALLET, amount: 40, status: 60 });
    await line({ at: at(3), to: WALLET, from: '4410270002', amount: 300, receiverFee: 10 });
    await line({ at: at(4), to: WALLET, amount: 8, direction: 'out' });
    await line({ at: at(4), from: WALLET, to: WALLET, amount: 3, fee: 1 });
    const days = { from: '2026-02-28', to: '2026-03-06', zone: 'Europe/Istanbul' };
    const closed = await movedIn(merchant.merchantId, { wallet: WALLET, currency: 'TRY' }, days);
    const net = new Map([...closed].map(([day, one]) => [day, one.in - one.out - one.fees]));
    for (const { day, flow: own } of (await flow()).series)
      expect([day, own!.in - own!.out]).toEqual([day, net.get(day) ?? 0n]);
    expect(net.size).toBe(4);
  });

  it('of several wallets, what moves between them neither came nor went; its fees left', async () => {
    const at = '2026-03-05T10:00:00Z';
    const both = ['4410270002', WALLET];
    await line({ at, from: WALLET, to: '4410270002', amount: 500, fee: 30 });
    await line({
      at,
      from: '4410270002',
      to: WALLET,
      amount: 3_000,
      received: 2_900,
      receiverFee: 100,
    });
    await line({ at, from: '4410270002', amount: 1_000, fee: 10 });
    await line({ at, to: WALLET, amount: 7_000 });
    await line({ at, from: '4410270003', to: WALLET, amount: 50 });
    const { series } = await walletFlow(
      merchant.person('clerk'),
      { numbers: both, currency: 'TRY', balance: '1000.00' },
      7,
      NOW,
    );
    // Of the 3,000 only 2,900 were received, and the receiver's fee took 100 of these: so 200 left
    // the two wallets.
    expect(moved(series)).toEqual([
      ['2026-03-05', 7_050n, 1_000n + 10n + 30n + 200n, 140n, 100_000n],
    ]);
  });

  it('leaves out what has not settled, what was cancelled, other currencies and other wallets', async () => {
    const at = '2026-03-05T10:00:00Z';
    await line({ at, from: WALLET, amount: 1, status: 10 });
    await line({ at, from: WALLET, amount: 2, status: 40 });
    await line({ at, from: WALLET, amount: 4, currency: 'USD' });
    await line({ at, from: '4410270003', to: '4410270002', amount: 8 });
    expect(moved((await flow()).series)).toEqual([]);
  });

  it('of a day that is not read is not told, nor the balances before it; the day is asked for', async () => {
    await line({ at: '2026-03-02T10:00:00Z', to: WALLET, amount: 100 });
    await line({ at: '2026-03-05T10:00:00Z', to: WALLET, amount: 200 });
    await merchant.owner.query(
      `UPDATE record_days SET read_at = NULL WHERE merchant_id = $1 AND day = '2026-03-03'`,
      [merchant.merchantId],
    );
    const { series, missing, asOf } = await flow();
    expect(missing).toEqual(['2026-03-03']);
    expect(asOf).toBe(NOW);
    expect(
      series.map(({ day, flow: own, balance }) => [day.slice(-2), own?.in ?? null, balance]),
    ).toEqual([
      ['28', 0n, null],
      ['01', 0n, null],
      ['02', 100n, null],
      ['03', null, 99_800n],
      ['04', 0n, 99_800n],
      ['05', 200n, 100_000n],
      ['06', 0n, 100_000n],
    ]);
    const { rows } = await merchant.owner.query(
      `SELECT day::text FROM record_days WHERE merchant_id = $1 AND day = '2026-03-03'
        AND next_at IS NOT NULL`,
      [merchant.merchantId],
    );
    expect(rows).toHaveLength(1);
  });

  it('of a day that was read before it was over counts as not read', async () => {
    await read('2026-03-04', '2026-03-04T20:59:59Z');
    expect((await flow()).missing).toEqual(['2026-03-04']);
    await read('2026-03-04', '2026-03-04T21:00:00Z');
    expect((await flow()).missing).toEqual([]);
  });

  it('of a day that is read while the page is drawn counts as not read, or with its money', async () => {
    await merchant.owner.query(
      `UPDATE record_days SET read_at = NULL WHERE merchant_id = $1 AND day = '2026-03-05'`,
      [merchant.merchantId],
    );
    const { inOne } = web.db;
    let before: Promise<unknown> = Promise.resolve();
    // The page's readings are made one after the other, and the day is read in between.
    const readings = vi.spyOn(web.db, 'inOne').mockImplementation((...given) => {
      const turn = before.then(async () => {
        const rows = await inOne(...given);
        await line({ at: '2026-03-05T10:00:00Z', to: WALLET, amount: 200 });
        await read('2026-03-05');
        return rows as never;
      });
      before = turn;
      return turn;
    });
    const { series, missing } = await flow();
    expect(readings).toHaveBeenCalledTimes(2);
    readings.mockRestore();
    const into = series.find(({ day }) => day === '2026-03-05')!.flow?.in;
    expect(missing.length > 0 || into === 200n, `${missing.join()} ${into}`).toBe(true);
  });

  it('over ninety days ends with the provider’s balance: its first balance plus all movements', async () => {
    for (let day = 0; day < 90; day++) {
      const at = new Date(Date.parse(NOW) - day * 86_400_000).toISOString();
      await line({ at, to: WALLET, amount: 1_000 + day });
      await line({ at, from: WALLET, amount: 700, fee: day });
    }
    const { series } = await flow(90);
    expect(series).toHaveLength(90);
    expect(series.at(-1)!.balance).toBe(100_000n);
    const opening = series[0]!.balance! - series[0]!.flow!.in + series[0]!.flow!.out;
    expect(series.reduce((balance, { flow: own }) => balance + own!.in - own!.out, opening)).toBe(
      100_000n,
    );
  });
});
