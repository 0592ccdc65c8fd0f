import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf } from '#lib/values/keyset.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as ExportSource from './export-source.ts';
import { readWithdrawalQuery, withdrawalParams } from './filter.ts';
import type * as List from './list.ts';
import type * as View from './view.ts';

/**
 * The provider's withdraw requests: people view them beside our own payouts, search them and export
 * them.
 */

const ROWS = 60;
const IBAN = 'TR330006100519786457841326';
let merchant: TestMerchant;
let web: Process;
let list: typeof List;
let view: typeof View;
let source: typeof ExportSource;
let ours: string;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  list = await import('./list.ts');
  view = await import('./view.ts');
  source = await import('./export-source.ts');
  ours = await storedMovement(merchant, 'COMPLETED', { ended_at: new Date() });
  const { rows } = await merchant.owner.query<{ ext_id: string }>(
    `SELECT ext_id FROM movements WHERE id = $1`,
    [ours],
  );
  // Half an hour apart over more than a day; several with the same amount and time, so that only
  // the id distinguishes them.
  for (let n = 0; n < ROWS; n++) {
    const at = new Date(Date.parse('2026-03-05T12:00:00Z') + Math.floor(n / 2) * 3_600_000);
    await request(`9${String(n).padStart(4, '0')}`, {
      ext: n === 7 ? rows[0]!.ext_id : `PANEL-${n}`,
      at,
      amount: BigInt(1_000 + (n % 5) * 100),
      level: ['completed', 'pending', 'rejected', 'failed'][n % 4]!,
      name: n === 11 ? 'IŞIK İnşaat' : 'Deniz Ltd.',
    });
  }
  await request('usd', {
    ext: null,
    at: new Date('2026-03-06T09:00:00Z'),
    amount: 5_000n,
    level: 'completed',
    name: 'Liman',
    currency: 'USD',
  });
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

async function request(
  id: string,
  {
    ext,
    at,
    amount,
    level,
    name,
    currency = 'TRY',
  }: {
    ext: string | null;
    at: Date;
    amount: bigint;
    level: string;
    name: string;
    currency?: string;
  },
): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO withdraw_records (merchant_id, request_id, ext_id, wallet, level, amount_minor,
      currency, iban, name, tax_number, reason, created_at, raw)
     VALUES ($1, $2, $3, '4410270001', $4, $5, $6, $7, $8, '10000000146', 'Hesap yok: ' || $7, $9,
       '{"id":"' || $2 || '"}')`,
    [merchant.merchantId, id, ext, level, amount.toString(), currency, IBAN, name, at],
  );
}

const DAYS = { from: '2026-03-05', to: '2026-03-07' };
const read = (params: Record<string, string> = {}) =>
  readWithdrawalQuery({ ...DAYS, ...params }, '2026-03-08T12:00:00Z', 'tr');
const ids = async (params: Record<string, string>, role: 'owner' | 'support' = 'owner') =>
  (await list.listWithdrawals(merchant.person(role), read(params))).rows.map(
    (row) => row.requestId,
  );

/** Visits every page of a filter forwards, and follows the link back from each. */
async function walk(
  params: Record<string, string>,
): Promise<{ all: string[]; back: string[][]; pages: string[][] }> {
  const pages: string[][] = [];
  const back: string[][] = [];
  for (let place: Record<string, string> = {}; ;) {
    const page = await list.listWithdrawals(
      merchant.person('owner'),
      read({ ...params, ...place }),
    );
    pages.push(page.rows.map((row) => row.requestId));
    if (page.newer)
      back.push(
        (
          await list.listWithdrawals(
            merchant.person('owner'),
            read({ ...params, before: page.newer.edge }),
          )
        ).rows.map((row) => row.requestId),
      );
    if (!page.older) return { all: pages.flat(), back, pages };
    place = { after: page.older.edge };
  }
}

describe('the report', () => {
  it.each(['date', '-date', 'amount', '-amount'])(
    'sorted by %s has every request on exactly one page, in order, and the way back leads where one came from',
    async (sort) => {
      const { all, back, pages } = await walk({ sort });
      expect([all.length, new Set(all).size]).toEqual([ROWS + 1, ROWS + 1]);
      expect(back).toEqual(pages.slice(0, -1));
      const { rows } = await merchant.owner.query<{ request_id: string; v: string }>(
        `SELECT request_id,
          ${sort.includes('amount') ? "lpad(amount_minor::text, 18, '0')" : 'created_at::text'} AS v
          FROM withdraw_records WHERE merchant_id = $1`,
        [merchant.merchantId],
      );
      const value = new Map(rows.map((row) => [row.request_id, row.v]));
      const values = all.map((id) => value.get(id)!);
      expect(values).toEqual(
        [...values].sort((a, b) => (sort.startsWith('-') ? -1 : 1) * (a < b ? -1 : a > b ? 1 : 0)),
      );
    },
  );

  it('counts and sums the whole filter, by currency and level', async () => {
    const totals = await list.sumWithdrawals(
      merchant.person('owner'),
      read({ min: '11,00' }).filter,
    );
    const { rows } = await merchant.owner.query(
      `SELECT currency, level, count(*)::int AS count,
        to_char(sum(amount_minor) / 100, 'FM999999990.00') AS sum FROM withdraw_records
        WHERE merchant_id = $1 AND amount_minor >= 1100 GROUP BY 1, 2`,
      [merchant.merchantId],
    );
    const sorted = (all: { currency: string; level: string }[]) =>
      [...all].sort((a, b) => (a.currency + a.level < b.currency + b.level ? -1 : 1));
    expect(sorted(totals)).toEqual(sorted(rows));
  });

  it('takes a request of 21:30 UTC for one of the next Istanbul day', async () => {
    await request('late', {
      ext: null,
      at: new Date('2026-03-09T21:30:00Z'),
      amount: 1n,
      level: 'pending',
      name: 'Gece',
    });
    const on = async (day: string) =>
      (await list.listWithdrawals(merchant.person('owner'), read({ from: day, to: day }))).rows.map(
        (row) => row.requestId,
      );
    expect([await on('2026-03-09'), await on('2026-03-10')]).toEqual([[], ['late']]);
  });

  it.each(['isik', 'ışık', 'Işık', 'IŞIK'])('finds %s whatever i was typed', async (q) => {
    expect(await ids({ q })).toEqual(['90011']);
  });

  it('finds by reference, number and IBAN; who sees IBANs masked finds only by the whole one or its end', async () => {
    expect(await ids({ q: 'PANEL-33' })).toEqual(['90033']);
    expect(await ids({ q: '90012' })).toEqual(['90012']);
    expect((await ids({ q: '0519 7864' })).length).toBe(25);
    expect(await ids({ q: '0519 7864' }, 'support')).toEqual([]);
    expect((await ids({ q: '1326' }, 'support')).length).toBe(25);
    expect((await ids({ q: IBAN }, 'support')).length).toBe(25);
  });

  it('narrows by wallet, level, result and amount', async () => {
    expect(await ids({ wallet: '4410270002' })).toEqual([]);
    expect(
      new Set(
        (
          await list.listWithdrawals(merchant.person('owner'), read({ level: 'rejected' }))
        ).rows.map((row) => row.level),
      ),
    ).toEqual(new Set(['rejected']));
    expect(
      new Set(
        (await list.sumWithdrawals(merchant.person('owner'), read({ completed: 'no' }).filter)).map(
          (row) => row.level,
        ),
      ),
    ).toEqual(new Set(['pending', 'rejected', 'failed']));
    expect(await ids({ min: '50,00', max: '50,00' })).toEqual(['usd']);
  });
});

describe('beside our own payout', () => {
  it('each request says whether we made it, what it is to us, and where the two disagree', async () => {
    const { rows } = await list.listWithdrawals(merchant.person('owner'), read({ q: '90007' }));
    expect(rows[0]).toMatchObject({
      payout: { id: ours, state: 'COMPLETED' },
      beside: 'differs',
      level: 'failed',
    });
    const [other] = (await list.listWithdrawals(merchant.person('owner'), read({ q: '90008' })))
      .rows;
    expect(other).toMatchObject({ payout: null, beside: 'not_ours' });
  });

  it('a record of another account or currency than ours disagrees, also for a role that sees neither', async () => {
    const id = await storedMovement(merchant, 'COMPLETED', { ended_at: new Date() });
    const { rows } = await merchant.owner.query<{
      ext_id: string;
      iban: string;
      amount: string;
    }>(`SELECT ext_id, iban, amount_minor::text AS amount FROM movements WHERE id = $1`, [id]);
    const [own] = rows;
    await request('elsewhere', {
      ext: own!.ext_id,
      at: new Date('2026-03-20T09:00:00Z'),
      amount: BigInt(own!.amount),
      level: 'completed',
      name: 'Deniz Ltd.',
    });
    const beside = async () => [
      (
        await list.listWithdrawals(
          merchant.person('support'),
          read({ from: '2026-03-20', to: '2026-03-20' }),
        )
      ).rows[0]!.beside,
      (await view.viewWithdrawal(merchant.person('support'), 'elsewhere'))!.beside,
    ];
    expect(await beside()).toEqual(['differs', 'differs']);
    await merchant.owner.query(
      `UPDATE withdraw_records SET iban = $2 WHERE merchant_id = $1 AND request_id = 'elsewhere'`,
      [merchant.merchantId, own!.iban],
    );
    expect(await beside()).toEqual(['agrees', 'agrees']);
    await merchant.owner.query(
      `UPDATE withdraw_records SET currency = 'USD' WHERE merchant_id = $1 AND request_id = 'elsewhere'`,
      [merchant.merchantId],
    );
    expect(await beside(), 'as many dollars').toEqual(['differs', 'differs']);
  });

  it('a whole record hides the payee’s numbers and the raw text from roles that may not see them', async () => {
    const whole = await view.viewWithdrawal(merchant.person('clerk'), '90007');
    expect(whole).toMatchObject({
      iban: IBAN,
      taxNumber: '10000000146',
      raw: '{"id":"90007"}',
      payout: { id: ours },
      beside: 'differs',
    });
    const masked = await view.viewWithdrawal(merchant.person('support'), '90007');
    expect([masked!.iban, masked!.raw]).toEqual(['TR**…1326', null]);
    expect(JSON.stringify(masked)).not.toMatch(/10000000146|330006100519786457841326/);
    expect(
      (await list.listWithdrawals(merchant.person('support'), read())).rows.every(
        (row) => row.iban === 'TR**…1326',
      ),
    ).toBe(true);
    expect(await view.viewWithdrawal(merchant.person('owner'), 'nothing')).toBeNull();
  });
});

describe('the export', () => {
  it.each(['date', '-amount'])(
    'holds row for row what the filter shows, sorted by %s, in pieces of any size',
    async (sort) => {
      const { filter } = read({ sort, completed: 'no', q: 'deniz' });
      const address = addressOf(withdrawalParams(filter));
      const scope = {
        merchantId: merchant.merchantId,
        role: 'owner' as const,
        filter: source.withdrawalSource.readFilter(address),
        asOf: 'infinity',
      };
      const taken: string[] = [];
      for (let after: string | null = null; ;) {
        const page = await source.withdrawalSource.page(scope, after, 7);
        taken.push(...page.rows.map((row) => row[0]!));
        if (page.next === null) break;
        after = page.next;
      }
      const shown: string[] = [];
      for (let place: Record<string, string> = {}; ;) {
        const page = await list.listWithdrawals(
          merchant.person('owner'),
          read({ sort, completed: 'no', q: 'deniz', ...place }),
        );
        shown.push(...page.rows.map((row) => row.requestId));
        if (!page.older) break;
        place = { after: page.older.edge };
      }
      expect(taken).toEqual(shown);
      expect(await source.withdrawalSource.count(scope)).toBe(shown.length);
    },
  );

  it('masks what the role may not see, also where the bank repeats it, and omits later findings', async () => {
    const scope = {
      merchantId: merchant.merchantId,
      role: 'support' as const,
      filter: read().filter,
      asOf: 'infinity',
    };
    const { rows } = await source.withdrawalSource.page(scope, null, 100);
    expect(rows.length).toBe(ROWS + 1);
    expect(JSON.stringify(rows)).not.toMatch(/10000000146|330006100519786457841326/);
    expect(
      (await source.withdrawalSource.page({ ...scope, asOf: '2026-01-01' }, null, 100)).rows,
    ).toEqual([]);
  });
});
