import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { openProduct } from '#lib/testing/database.ts';
import type * as Close from './close.ts';
import type * as Due from './due.ts';
import type * as Keep from './keep-balances.ts';
import type * as ViewDay from './view-day.ts';
import type * as View from './view.ts';

/** The day close on a real database: closed days are frozen, and later corrections are not lost. */

type Product = Awaited<ReturnType<typeof openProduct>>;
let product: Product;
let close: typeof Close;
let due: typeof Due;
let view: typeof View;
let viewOneDay: typeof ViewDay;
let keep: typeof Keep;

beforeAll(async () => {
  product = await openProduct(0);
  close = await import('./close.ts');
  due = await import('./due.ts');
  view = await import('./view.ts');
  viewOneDay = await import('./view-day.ts');
  const { openProcess } = await import('#lib/testing/database.ts');
  product.workers.push(await openProcess('dashboard_worker'));
  keep = await import('./keep-balances.ts');
  await product.merchant.owner.query(
    `INSERT INTO record_days (merchant_id, list, day, read_at) SELECT $1, 'ledger', day,
      day + interval '2 days' FROM generate_series('2026-01-31'::date, '2026-05-01', '1 day') AS day`,
    [product.merchant.merchantId],
  );
});
afterAll(() =>
  Promise.all(product.workers.map((side) => side.db.disconnect())).then(() => product.close()),
);

const owner = () => product.merchant.owner;
const approver = () => product.merchant.person('approver');
const firstWallet = randomInt(10_000_000, 99_000_000);
let wallets = 0;
const newWallet = (): string => `55${firstWallet + ++wallets}`;
const of = (wallet: string) => ({ wallet, currency: 'TRY' });
const month = (wallet: string, first = '2026-03-01') =>
  view.viewMonth(approver(), of(wallet), first);
const dayOf = async (wallet: string, day: string) =>
  (await month(wallet)).days.find((one) => one.day === day)!;
let serial = 0;

type Line = {
  from?: string | null;
  to?: string | null;
  amount: number;
  fee?: number;
  at: string;
  completed?: string;
  status?: number;
  type?: number;
  refersTo?: string | null;
  updated?: string | null;
  currency?: string;
  group?: string | null;
};
async function write(line: Line, id = `L${++serial}-${randomInt(1e9)}`): Promise<string> {
  const {
    from = null,
    to = null,
    amount,
    fee = 0,
    at,
    completed = at,
    status = 20,
    type = 2002,
    refersTo = null,
    updated = null,
    currency = 'TRY',
    group = null,
  } = line;
  await owner().query(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, from_wallet, to_wallet, refers_to, group_id, created_at, completed_at,
      updated_at, raw)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, '{}')`,
    [
      product.merchant.merchantId,
      id,
      type,
      status,
      from === null ? 'in' : 'out',
      amount,
      fee,
      currency,
      from,
      to,
      refersTo,
      group,
      at,
      completed,
      updated,
    ],
  );
  return id;
}
const hear = (wallet: string, total: number, at: string) =>
  owner().query(
    `INSERT INTO wallet_balances (merchant_id, wallet, at, total_minor, currency)
      VALUES ($1, $2, $3, $4, 'TRY')`,
    [product.merchant.merchantId, wallet, at, total],
  );

describe('a day of a wallet', () => {
  it('ends at Istanbul’s midnight: 21:30 UTC belongs to the next day, 20:59 to this one', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    await write({ to: wallet, amount: 100, at: '2026-03-05T20:59:59.999Z' });
    await write({ to: wallet, amount: 7, at: '2026-03-05T21:00:00Z' });
    await write({ from: wallet, amount: 20, fee: 3, at: '2026-03-05T21:30:00Z' });
    expect(await dayOf(wallet, '2026-03-05')).toMatchObject({
      opening: '10.00',
      in: '1.00',
      out: '0.00',
      fees: '0.00',
      closing: '11.00',
      lines: 1,
    });
    expect(await dayOf(wallet, '2026-03-06')).toMatchObject({
      opening: '11.00',
      in: '0.07',
      out: '0.20',
      fees: '0.03',
      closing: '10.84',
      lines: 2,
    });
  });

  it('counts a payout at its completion, as the balance does, and never a pending or cancelled one', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    await write({
      from: wallet,
      amount: 500,
      fee: 10,
      at: '2026-03-05T20:59:58Z',
      completed: '2026-03-05T21:00:03Z',
    });
    await write({ from: wallet, amount: 77, at: '2026-03-05T10:00:00Z', status: 10 });
    await write({ from: wallet, amount: 88, at: '2026-03-05T10:00:00Z', status: 40 });
    expect(await dayOf(wallet, '2026-03-05')).toMatchObject({
      out: '0.00',
      breaks: [{ kind: 'not_completed', count: 1 }],
    });
    expect(await dayOf(wallet, '2026-03-06')).toMatchObject({
      out: '5.00',
      fees: '0.10',
      closing: '4.90',
      breaks: [],
    });
  });

  it('shows a transfer between own wallets in both, once each', async () => {
    const [a, b] = [newWallet(), newWallet()];
    await Promise.all([hear(a, 1_000, '2026-03-02T10:00:00Z'), hear(b, 0, '2026-03-02T10:00:00Z')]);
    await write({ from: a, to: b, amount: 300, fee: 2, at: '2026-03-05T10:00:00Z', type: 3006 });
    expect(await dayOf(a, '2026-03-05')).toMatchObject({
      in: '0.00',
      out: '3.00',
      fees: '0.02',
      closing: '6.98',
      breaks: [],
    });
    expect(await dayOf(b, '2026-03-05')).toMatchObject({
      in: '3.00',
      out: '0.00',
      fees: '0.00',
      closing: '3.00',
      breaks: [],
    });
  });
});

describe('breaks', () => {
  const kinds = async (wallet: string, day: string) =>
    (await dayOf(wallet, day)).breaks.map(({ kind }) => kind).sort();

  it('are none on a clean day, with the provider’s balance agreeing', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    await write({ to: wallet, amount: 5, at: '2026-03-04T10:00:00Z' });
    await write({ from: wallet, amount: 5, at: '2026-03-04T18:00:00Z' });
    await hear(wallet, 1_005, '2026-03-04T12:00:00Z');
    expect(await dayOf(wallet, '2026-03-04')).toMatchObject({
      breaks: [],
      reported: { total: '10.05', book: '10.05' },
    });
  });

  it('name a balance that differs from the lines, a kuruş is enough', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    await write({ to: wallet, amount: 5, at: '2026-03-04T10:00:00Z' });
    await hear(wallet, 1_006, '2026-03-04T12:00:00Z');
    expect(await dayOf(wallet, '2026-03-04')).toMatchObject({
      breaks: [{ kind: 'balance', count: 1 }],
      reported: { total: '10.06', book: '10.05' },
    });
    // A balance that was read within seconds of an entry does not show whether it includes the
    // entry.
    const other = newWallet();
    await hear(other, 1_000, '2026-03-02T10:00:00Z');
    await write({ to: other, amount: 5, at: '2026-03-04T10:00:00Z' });
    await hear(other, 1_000, '2026-03-04T10:00:02Z');
    expect(await dayOf(other, '2026-03-04')).toMatchObject({ breaks: [], reported: null });
  });

  it('name a wallet that falls below zero, also when it is back by the evening', async () => {
    const wallet = newWallet();
    await hear(wallet, 100, '2026-03-02T10:00:00Z');
    await write({ from: wallet, amount: 150, at: '2026-03-04T10:00:00Z' });
    await write({ to: wallet, amount: 150, at: '2026-03-04T11:00:00Z' });
    expect(await kinds(wallet, '2026-03-04')).toEqual(['negative']);
  });

  it('name lines of another currency, one-sided own transfers, and returns without a line', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    await write({ to: wallet, amount: 5, at: '2026-03-04T10:00:00Z', currency: 'USD' });
    const lonely = await write({ from: wallet, amount: 5, at: '2026-03-05T10:00:00Z', type: 3006 });
    // Two entries that each name one wallet are the two sides of one transfer.
    await write({ from: wallet, amount: 5, at: '2026-03-06T10:00:00Z', type: 3006, group: lonely });
    await write({
      to: newWallet(),
      amount: 5,
      at: '2026-03-06T10:00:00Z',
      type: 3006,
      group: lonely,
    });
    await write({
      from: wallet,
      amount: 5,
      fee: 1,
      at: '2026-03-07T10:00:00Z',
      status: 60,
      updated: '2026-03-08T10:00:00Z',
    });
    expect([
      await kinds(wallet, '2026-03-04'),
      await kinds(wallet, '2026-03-05'),
      await kinds(wallet, '2026-03-06'),
      await kinds(wallet, '2026-03-07'),
    ]).toEqual([['other_currency'], ['one_sided'], [], ['refunded']]);
    expect(await dayOf(wallet, '2026-03-08')).toMatchObject({ in: '0.05', fees: '0.00' });
    expect(await dayOf(wallet, '2026-03-04')).toMatchObject({ in: '0.00', lines: 0 });
    expect((await viewOneDay.viewDay(approver(), of(wallet), '2026-03-05')).lines).toMatchObject([
      { kind: 'one_sided', id: lonely, amount: '0.05' },
    ]);
  });

  it('are listed for every kind, however many lines another kind has', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    for (let n = 0; n < 51; n++)
      await write({ from: wallet, amount: 5, at: '2026-03-04T10:00:00Z', status: 10 });
    await write({ to: wallet, amount: 5, at: '2026-03-04T11:00:00Z', currency: 'USD' });
    expect((await dayOf(wallet, '2026-03-04')).breaks).toEqual(
      expect.arrayContaining([
        { kind: 'not_completed', count: 51 },
        { kind: 'other_currency', count: 1 },
      ]),
    );
    const { lines } = await viewOneDay.viewDay(approver(), of(wallet), '2026-03-04');
    const listed = (kind: string): number => lines.filter((line) => line.kind === kind).length;
    expect([listed('not_completed'), listed('other_currency')]).toEqual([50, 1]);
  });

  it('name days that are not read to their end, which nobody can close', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    await owner().query(
      `UPDATE record_days SET read_at = day + interval '20 hours' WHERE merchant_id = $1
        AND day = '2026-03-20'`,
      [product.merchant.merchantId],
    );
    try {
      expect([
        await kinds(wallet, '2026-03-19'),
        await kinds(wallet, '2026-03-20'),
        await kinds(wallet, '2026-03-21'),
        await kinds(wallet, '2026-03-22'),
      ]).toEqual([[], ['not_read'], ['not_read'], []]);
      await expect(
        close.closeDays(approver(), of(wallet), '2026-03-20', 'a reason that is long enough'),
      ).rejects.toMatchObject({ code: 'day_not_closable' });
    } finally {
      await owner().query(
        `UPDATE record_days SET read_at = day + interval '2 days' WHERE merchant_id = $1`,
        [product.merchant.merchantId],
      );
    }
  });

  it('keep a first opening from being counted over days that are not read to their end', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    const readUntil = (day: string, at: string) =>
      owner().query(
        `UPDATE record_days SET read_at = $3::timestamptz WHERE merchant_id = $1 AND day = $2`,
        [product.merchant.merchantId, day, at],
      );
    try {
      await readUntil('2026-03-20', '2026-03-20T12:00:00Z');
      const { closable } = await month(wallet);
      expect([closable.at(-1), closable.includes('2026-03-24')]).toEqual(['2026-03-19', false]);
      await expect(
        close.closeDays(approver(), of(wallet), '2026-03-24', 'a reason that is long enough'),
      ).rejects.toMatchObject({ code: 'day_not_closable' });
      await hear(wallet, 1_000, '2026-03-30T10:00:00Z');
      await readUntil('2026-03-20', '2026-03-22T00:00:00Z');
      expect((await month(wallet, '2026-04-01')).days[0]).toMatchObject({ opening: '10.00' });
      await readUntil('2026-03-30', '2026-03-30T12:00:00Z');
      expect((await month(wallet, '2026-04-01')).days[0]).toMatchObject({ opening: null });
    } finally {
      await owner().query(
        `UPDATE record_days SET read_at = day + interval '2 days' WHERE merchant_id = $1`,
        [product.merchant.merchantId],
      );
    }
  });
});

describe('closing', () => {
  it('freezes figures by an authorized person, with an audit entry; nobody changes a closed day', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    await write({ to: wallet, amount: 50, at: '2026-03-04T10:00:00Z' });
    for (const role of ['clerk', 'support', 'auditor'] as const)
      await expect(
        close.closeDays(product.merchant.person(role), of(wallet), '2026-03-04', ''),
      ).rejects.toMatchObject({ code: 'not_allowed' });
    expect(await close.closeDays(approver(), of(wallet), '2026-03-04', '')).toBe(1);
    expect(await dayOf(wallet, '2026-03-04')).toMatchObject({
      state: 'closed',
      closing: '10.50',
      closed: { by: 'approver@test', breaks: [] },
    });
    const trail = await owner().query(
      `SELECT body::jsonb -> 'detail' ->> 'closing' AS closing FROM audit_entries
        WHERE merchant_id = $1 AND action = 'day.closed' AND subject = $2`,
      [product.merchant.merchantId, `day:${wallet}-2026-03-04`],
    );
    expect(trail.rows).toEqual([{ closing: '10.50' }]);
    await expect(
      owner().query(`UPDATE closed_days SET closing_minor = 0, in_minor = 0 WHERE wallet = $1`, [
        wallet,
      ]),
    ).rejects.toThrow();
    await expect(
      owner().query(`DELETE FROM closed_day_lines WHERE wallet = $1`, [wallet]),
    ).rejects.toThrow();
    await expect(close.closeDays(approver(), of(wallet), '2026-03-04', '')).rejects.toMatchObject({
      code: 'day_not_closable',
    });
  });

  it('goes day by day without a gap, several at one press; a day with breaks wants a reason', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    await write({ from: wallet, amount: 77, at: '2026-03-08T10:00:00Z', status: 10 });
    await close.closeDays(approver(), of(wallet), '2026-03-04', '');
    expect(await close.closeDays(approver(), of(wallet), '2026-03-09', '')).toBe(3);
    await expect(close.closeDays(approver(), of(wallet), '2026-03-09', '')).rejects.toMatchObject({
      code: 'stop_reason_needed',
    });
    expect(
      await close.closeDays(
        approver(),
        of(wallet),
        '2026-03-09',
        'Bekleyen satır sağlayıcıya soruldu',
      ),
    ).toBe(2);
    expect(
      (await month(wallet)).days
        .filter((one) => one.state === 'closed')
        .map((one) => one.day.slice(-2)),
    ).toEqual(['04', '05', '06', '07', '08', '09']);
    expect(await dayOf(wallet, '2026-03-03')).toMatchObject({ state: 'before' });
    expect((await dayOf(wallet, '2026-03-08')).closed).toMatchObject({
      reason: 'Bekleyen satır sağlayıcıya soruldu',
      breaks: ['not_completed'],
    });
  });

  it('by two people at once counts nothing twice', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    await write({ to: wallet, amount: 50, at: '2026-03-04T10:00:00Z' });
    const ends = await Promise.allSettled(
      [1, 2, 3].map(() => close.closeDays(approver(), of(wallet), '2026-03-04', '')),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(
      (
        await owner().query(
          'SELECT sum(in_minor)::int AS sum FROM closed_day_lines WHERE wallet = $1',
          [wallet],
        )
      ).rows,
    ).toEqual([{ sum: 50 }]);
  });

  it('begins a wallet’s books once, though two people begin them at the same moment on different days', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    await Promise.allSettled(
      ['2026-03-04', '2026-03-10'].map((day) => close.closeDays(approver(), of(wallet), day, '')),
    );
    const {
      rows: [closed],
    } = await owner().query(
      `SELECT count(*)::int AS days, max(day) - min(day) + 1 AS span FROM closed_days WHERE wallet = $1`,
      [wallet],
    );
    expect(closed.days).toBeGreaterThan(0);
    expect(closed.days).toBe(closed.span);
  });

  it('judges a day again when an entry was read while it waited for another closer', async () => {
    const closed = async (wallet: string, entry: Line): Promise<unknown> => {
      const other = await owner().connect();
      await other.query('BEGIN');
      const { rows } = await other.query<{ pid: number }>(
        'SELECT pg_backend_pid() AS pid, pg_advisory_xact_lock(hashtextextended($1, 0))',
        [`day-close:${product.merchant.merchantId}:${wallet}`],
      );
      const end = close
        .closeDays(approver(), of(wallet), '2026-03-04', '')
        .catch((error: { code?: string }) => error.code);
      const blocked = 'SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))';
      await expect
        .poll(async () => (await owner().query(blocked, [rows[0]!.pid])).rowCount, { interval: 5 })
        .toBe(1);
      await write(entry);
      await other.query('COMMIT');
      other.release();
      return end;
    };
    const [odd, moved] = [newWallet(), newWallet()];
    for (const wallet of [odd, moved]) await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    const pending = { from: odd, amount: 77, at: '2026-03-04T10:00:00Z', status: 10 };
    expect(await closed(odd, pending)).toBe('stop_reason_needed');
    expect(await dayOf(odd, '2026-03-04')).toMatchObject({ state: 'open' });
    // A first opening is counted over the days before it.
    expect(await closed(moved, { to: moved, amount: 50, at: '2026-03-03T10:00:00Z' })).toBe(1);
    expect(await dayOf(moved, '2026-03-04')).toMatchObject({ state: 'closed', opening: '10.50' });
  });

  it('is not possible for today, for a day to come, nor where nothing says what the wallet held', async () => {
    const wallet = newWallet();
    const today = new Date().toISOString().slice(0, 10);
    for (const day of [today, '2099-01-01'])
      await expect(
        close.closeDays(approver(), of(wallet), day, 'a reason that is long enough'),
      ).rejects.toMatchObject({ code: 'day_not_closable' });
    await expect(
      close.closeDays(approver(), of(wallet), '2026-03-04', 'a reason that is long enough'),
    ).rejects.toMatchObject({ code: 'day_not_closable' });
  });

  it('puts later lines of the day into its after-close bucket, and the frozen figures stay', async () => {
    const wallet = newWallet();
    await hear(wallet, 1_000, '2026-03-02T10:00:00Z');
    const paid = await write({ from: wallet, amount: 50, at: '2026-03-04T10:00:00Z' });
    await close.closeDays(approver(), of(wallet), '2026-03-04', '');
    const late = await write({ to: wallet, amount: 30, at: '2026-03-04T11:00:00Z' });
    await owner().query(`UPDATE ledger_records SET status_id = 40 WHERE id = $1`, [paid]);
    expect(await dayOf(wallet, '2026-03-04')).toMatchObject({
      in: '0.00',
      out: '0.50',
      closing: '9.50',
      late: { net: '0.80', waiting: '0.80', lines: 2 },
    });
    expect(await dayOf(wallet, '2026-03-05')).toMatchObject({
      opening: '9.50',
      carried: '0.80',
      closing: '10.30',
    });
    expect(
      (await viewOneDay.viewDay(approver(), of(wallet), '2026-03-04')).late
        .map(({ id, net, state }) => [id, net, state])
        .sort(),
    ).toEqual(
      [
        [late, '0.30', 'new'],
        [paid, '0.50', 'gone'],
      ].sort(),
    );
    await close.closeDays(approver(), of(wallet), '2026-03-05', '');
    expect(await dayOf(wallet, '2026-03-05')).toMatchObject({
      state: 'closed',
      carried: '0.80',
      closing: '10.30',
    });
    expect(await dayOf(wallet, '2026-03-04')).toMatchObject({
      closing: '9.50',
      late: { net: '0.80', waiting: '0.00' },
    });
    expect((await viewOneDay.viewDay(approver(), of(wallet), '2026-03-04')).late).toMatchObject([
      { state: 'carried', carriedOn: '2026-03-05' },
      { state: 'carried', carriedOn: '2026-03-05' },
    ]);
    expect(await dayOf(wallet, '2026-03-06')).toMatchObject({ opening: '10.30', carried: '0.00' });
  });
});

describe('days to close', () => {
  it('are named for each wallet whose books have begun, to those alone who may close them', async () => {
    const [kept, current, unkept] = [newWallet(), newWallet(), newWallet()];
    await owner().query(
      `INSERT INTO closed_days (merchant_id, wallet, day, currency, opening_minor, carried_minor, in_minor,
        out_minor, fee_minor, closing_minor, lines, closed_by)
       SELECT $1, w, (now() AT TIME ZONE 'Europe/Istanbul')::date - ago, 'TRY', 0, 0, 0, 0, 0, 0, 0, $4
       FROM (VALUES ($2, 4), ($2, 5), ($3, 1)) AS c(w, ago)`,
      [product.merchant.merchantId, kept, current, approver().personId],
    );
    const mine = (await due.walletsToClose(approver())).filter(({ wallet }) =>
      [kept, current, unkept].includes(wallet),
    );
    const first = await owner().query<{ month: string }>(
      `SELECT to_char((now() AT TIME ZONE 'Europe/Istanbul')::date - 3, 'YYYY-MM') AS month`,
    );
    expect(mine).toEqual([{ wallet: kept, name: kept, days: 3, month: first.rows[0]!.month }]);
    expect(await due.walletsToClose(product.merchant.person('clerk'))).toEqual([]);
  });

  it.each([
    ['2026-02-27', '2026-02'],
    ['2026-02-28', '2026-03'],
    ['2025-12-31', '2026-01'],
  ])('that follow %s begin in the month %s', async (day, month) => {
    const wallet = newWallet();
    await owner().query(
      `INSERT INTO closed_days (merchant_id, wallet, day, currency, opening_minor, carried_minor, in_minor,
        out_minor, fee_minor, closing_minor, lines, closed_by)
       VALUES ($1, $2, $3, 'TRY', 0, 0, 0, 0, 0, 0, 0, $4)`,
      [product.merchant.merchantId, wallet, day, approver().personId],
    );
    const all = await due.walletsToClose(approver());
    expect(all.find((one) => one.wallet === wallet)?.month).toBe(month);
  });
});

describe('whatever the order', () => {
  /** Times around midnight in Istanbul, where an error of one or three hours changes the day. */
  const moment = fc
    .tuple(
      fc.integer({ min: 3, max: 8 }),
      fc.constantFrom(
        '20:59:59.999',
        '21:00:00.000',
        '21:00:00.001',
        '21:30:00.000',
        '23:59:59.000',
        '00:00:00.000',
        '09:15:00.000',
      ),
    )
    .map(([day, time]) => `2026-03-0${day}T${time}Z`);
  const event = fc.record({
    kind: fc.constantFrom(
      'in',
      'out',
      'own_out',
      'own_in',
      'return_line',
      'return_status',
      'return_both',
      'cancelled',
    ),
    amount: fc.integer({ min: 1, max: 100_000 }),
    fee: fc.integer({ min: 0, max: 900 }),
    at: moment,
    later: moment,
  });
  /**
   * A story in which the mirror reads the provider's entries in any order, and people close days in
   * between.
   */
  const story = fc.array(event, { minLength: 1, maxLength: 9 }).chain((events) =>
    fc.record({
      events: fc.constant(events),
      turns: fc.shuffledSubarray(
        events.flatMap((_, n) => [n * 2, n * 2 + 1]),
        { minLength: events.length * 2 },
      ),
      closes: fc.array(fc.integer({ min: 4, max: 9 }), { maxLength: 4 }),
      at: fc.nat(),
    }),
  );

  it('closed days and their after-close equal the provider’s balance, and no frozen figure changes', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ events, turns, closes, at }) => {
        const wallet = newWallet();
        const other = newWallet();
        await hear(wallet, 5_000_000, '2026-03-02T10:00:00Z');
        let movement = 0;
        const steps = events.map(
          ({
            kind,
            amount,
            fee,
            at: when,
            later,
          }): [() => Promise<unknown>, () => Promise<unknown>] => {
            const [made, ended] = [when, later].sort() as [string, string];
            const id = `S${++serial}-${randomInt(1e9)}`;
            const nothing = () => Promise.resolve();
            const returned = () =>
              owner().query(
                `UPDATE ledger_records SET status_id = 60, updated_at = $3 WHERE merchant_id = $1
                  AND id = $2`,
                [product.merchant.merchantId, id, ended],
              );
            switch (kind) {
              case 'in':
                movement += amount;
                return [
                  () => write({ to: wallet, amount, at: made, completed: ended }, id),
                  nothing,
                ];
              case 'out':
                movement -= amount + fee;
                return [
                  () => write({ from: wallet, amount, fee, at: made, completed: ended }, id),
                  nothing,
                ];
              case 'own_out':
                movement -= amount + fee;
                return [
                  () => write({ from: wallet, to: other, amount, fee, at: made, type: 3006 }, id),
                  nothing,
                ];
              case 'own_in':
                movement += amount;
                return [
                  () => write({ from: other, to: wallet, amount, fee, at: made, type: 3006 }, id),
                  nothing,
                ];
              case 'return_line':
                movement -= fee;
                return [
                  () => write({ from: wallet, amount, fee, at: made }, id),
                  () => write({ to: wallet, amount, at: ended, refersTo: id, type: 1004 }),
                ];
              case 'return_status':
                movement -= fee;
                return [() => write({ from: wallet, amount, fee, at: made }, id), returned];
              case 'return_both':
                movement -= fee;
                return [
                  () => write({ from: wallet, amount, fee, at: made }, id),
                  () =>
                    returned().then(() =>
                      write({ to: wallet, amount, at: ended, refersTo: id, type: 1004 }),
                    ),
                ];
              case 'cancelled':
                return [
                  () => write({ from: wallet, amount, fee, at: made }, id),
                  () =>
                    owner().query(
                      'UPDATE ledger_records SET status_id = 40 WHERE merchant_id = $1 AND id = $2',
                      [product.merchant.merchantId, id],
                    ),
                ];
            }
          },
        );
        const done = new Set<number>();
        const frozen = new Map<string, unknown>();
        const closeThrough = async (day: string): Promise<void> => {
          await close
            .closeDays(approver(), of(wallet), day, 'Sıradaki günler kapanıyor')
            .catch((error: { code?: string }) => {
              if (error.code !== 'day_not_closable') throw error;
            });
          const { rows } = await owner().query(
            'SELECT day::text, to_jsonb(c) AS row FROM closed_days c WHERE wallet = $1',
            [wallet],
          );
          for (const { day: one, row } of rows) {
            if (frozen.has(one)) expect(row).toEqual(frozen.get(one));
            frozen.set(one, row);
          }
        };
        await closeThrough('2026-03-03');
        for (const [n, turn] of turns.entries()) {
          // The second part of an event never comes before its first part.
          for (const part of turn % 2 === 0 ? [turn] : [turn - 1, turn]) {
            if (done.has(part)) continue;
            done.add(part);
            await steps[part >> 1]![part % 2]!();
          }
          if (closes.length > 0 && n % 3 === at % 3)
            await closeThrough(`2026-03-0${closes[n % closes.length]}`);
        }
        const shown = (await month(wallet)).days;
        expect(shown.at(-1)!.closing, 'the book').toBe(((5_000_000 + movement) / 100).toFixed(2));
        const closed = shown.filter((one) => one.state === 'closed');
        const minor = (text: string): number => Math.round(Number(text) * 100);
        const ofClosed = closed.reduce(
          (sum, one) =>
            sum +
            minor(one.in) +
            minor(one.carried) -
            minor(one.out) -
            minor(one.fees) +
            minor(one.late?.waiting ?? '0'),
          0,
        );
        const ofOpen = shown
          .filter((one) => one.state === 'open')
          .reduce((sum, one) => sum + minor(one.in) - minor(one.out) - minor(one.fees), 0);
        expect(ofClosed + ofOpen, 'closed days, after-close and open days together').toBe(movement);
        // The next close includes all waiting corrections.
        await closeThrough('2026-03-12');
        const {
          rows: [last],
        } = await owner().query(
          'SELECT closing_minor::int AS closing FROM closed_days WHERE wallet = $1 ORDER BY day DESC LIMIT 1',
          [wallet],
        );
        expect(last.closing, 'the last closed day').toBe(5_000_000 + movement);
        expect(
          (await month(wallet)).days.every((one) => (one.late?.waiting ?? '0.00') === '0.00'),
        ).toBe(true);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  }, 120_000);
});

describe('what the provider says that a wallet holds', () => {
  type Response = Awaited<ReturnType<WalletClient['listWallets']>>;
  const holding = (wallet: string, totalMinor: bigint): Response =>
    ({
      kind: 'answered',
      value: {
        rows: [{ number: wallet, totalMinor, currency: 'TRY' }],
        index: 0,
        pageCount: 1,
        rowCount: 1,
      },
    }) as never;
  const keepFrom = (listWallets: () => Promise<Response>) =>
    keep.keepBalances(product.merchant.merchantId, { listWallets });
  /** Asks for balances and has no response yet: `answer` gives it. */
  const begunToKeep = async () => {
    const late = Promise.withResolvers<Response>();
    const asked = Promise.withResolvers<void>();
    const kept = keepFrom(() => {
      asked.resolve();
      return late.promise;
    });
    await asked.promise;
    return { kept, answer: late.resolve };
  };
  const totalsOf = async (wallet: string): Promise<string[]> => {
    const { rows } = await owner().query<{ total: string }>(
      `SELECT total_minor::text AS total FROM wallet_balances WHERE wallet = $1 ORDER BY at`,
      [wallet],
    );
    return rows.map(({ total }) => total);
  };

  it('is noted when it changes, and not over and over', async () => {
    const wallet = newWallet();
    const say = (total: bigint) => keepFrom(async () => holding(wallet, total));
    expect([await say(5n), await say(5n), await say(6n), await say(5n)]).toEqual([1, 0, 1, 1]);
    await owner().query(
      `UPDATE wallet_balances SET at = at - interval '56 minutes' WHERE wallet = $1`,
      [wallet],
    );
    expect(await say(5n)).toBe(1);
    expect(await keepFrom(async () => ({ kind: 'no_answer', why: 'timeout' }) as never)).toBe(0);
  });

  it('is noted as of the question: what moved while the answer was on its way came after it', async () => {
    const wallet = newWallet();
    const { kept, answer } = await begunToKeep();
    const { rows: meanwhile } = await owner().query<{ at: Date }>('SELECT clock_timestamp() AS at');
    answer(holding(wallet, 5n));
    expect(await kept).toBe(1);
    const { rows } = await owner().query<{ at: Date }>(
      'SELECT at FROM wallet_balances WHERE wallet = $1',
      [wallet],
    );
    expect(rows[0]!.at.getTime()).toBeLessThanOrEqual(meanwhile[0]!.at.getTime());
  });

  it('is not noted from an answer that took long: nobody knows which entries it includes', async () => {
    const wallet = newWallet();
    const kept = await keepFrom(async () => {
      vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_001);
      return holding(wallet, 5n);
    }).finally(() => vi.restoreAllMocks());
    expect([kept, await totalsOf(wallet)]).toEqual([0, []]);
  });

  it('is not noted from an answer during which the machine was suspended', async () => {
    const wallet = newWallet();
    const kept = await keepFrom(async () => {
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5_001);
      return holding(wallet, 5n);
    }).finally(() => vi.restoreAllMocks());
    expect([kept, await totalsOf(wallet)]).toEqual([0, []]);
  });

  it('is noted once by eight workers that ask at once', async () => {
    const wallet = newWallet();
    await Promise.all(Array.from({ length: 8 }, () => keepFrom(async () => holding(wallet, 7n))));
    expect(await totalsOf(wallet)).toEqual(['7']);
  });

  it('is not noted from a response that was on its way while another worker noted a newer one', async () => {
    const wallet = newWallet();
    const { kept, answer } = await begunToKeep();
    expect(await keepFrom(async () => holding(wallet, 9n))).toBe(1);
    answer(holding(wallet, 4n));
    expect(await kept).toBe(0);
    expect(await totalsOf(wallet)).toEqual(['9']);
  });

  it('is noted by one worker at a time', async () => {
    const wallet = newWallet();
    const { kept, answer } = await begunToKeep();
    const other = await owner().connect();
    await other.query('BEGIN');
    await other.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [
      `balances:${product.merchant.merchantId}`,
    ]);
    await other.query(
      `INSERT INTO wallet_balances (merchant_id, wallet, at, total_minor, currency)
        VALUES ($1, $2, clock_timestamp(), 9, 'TRY')`,
      [product.merchant.merchantId, wallet],
    );
    answer(holding(wallet, 4n));
    const over = new AbortController();
    kept.finally(() => over.abort()).catch(() => undefined);
    for (let waiting = 0; waiting === 0 && !over.signal.aborted;) {
      const { rowCount } = await owner().query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
      );
      waiting = rowCount ?? 0;
    }
    await other.query('COMMIT');
    other.release();
    expect(await kept).toBe(0);
    expect(await totalsOf(wallet)).toEqual(['9']);
  });
});
