import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { NO_FILTER, PAYOUT_SORTS, readPayoutQuery } from './filter.ts';
import type { PayoutFilter } from './filter.ts';
import type * as List from './list.ts';

/** The list of payouts on a real database: pages, search, sums, tabs and tenant isolation. */

const NAMES = [
  'Zeytin A.Ş.',
  'Çınar Ltd.',
  'Cuma San.',
  'Irmak Gıda',
  'İnci Butik',
  'Işık Düğme',
  'Iğdır Lojistik',
  'Şafak Güvenlik',
  'Su Arıtma',
  'Öz Yapı',
  'Oz Yapı',
  'Hava Taşıma',
  '100% Pamuk_Tekstil',
];
const ROWS = 65;

let merchant: TestMerchant;
let stranger: TestMerchant;
let web: Process;
let list: typeof List;

beforeAll(async () => {
  stranger = await testMerchant();
  await drafts(stranger, 3);
  merchant = await testMerchant();
  await drafts(merchant, ROWS);
  web = await openProcess('dashboard_web');
  list = await import('./list.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), stranger.close()]);
});

/**
 * Creates drafts with few different amounts, names and times, so that every sort order has ties.
 */
async function drafts(of: TestMerchant, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await of.owner.query(
      `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
        amount_minor, currency, payment_type, description, content_hash, maker_id, created_at)
       VALUES ($1, $2, 'payout', $3, 'DRAFT', $4, $5, $6, '1234567890', $7, $8, '06', '', 'h', $9, $10)`,
      [
        randomUUID(),
        of.merchantId,
        `REF${String(n).padStart(4, '0')}QWXZQWXZQWXZQ`,
        n % 2 ? '4410270001' : '4410270002',
        `TR33000610051978645784${String(n).padStart(4, '0')}`,
        NAMES[n % NAMES.length],
        1_240_000 + (n % 4) * 100,
        n % 5 === 0 ? 'USD' : 'TRY',
        of.person('clerk').personId,
        new Date(Date.parse('2026-03-05T20:59:59.123Z') + Math.floor(n / 3) * 1_000),
      ],
    );
  }
}

const read = (filter: Partial<PayoutFilter>) =>
  list.listPayouts(merchant.person('clerk'), { filter: { ...NO_FILTER, ...filter }, place: null });
const ids = (page: List.PayoutPage): string[] => page.rows.map((row) => row.id);

describe('the list of payouts', () => {
  test.each(
    PAYOUT_SORTS.flatMap((sort) =>
      (['ascending', 'descending'] as const).map((order) => [sort, order] as const),
    ),
  )('by %s %s, going on and going back meet every row once, in one order', async (sort, order) => {
    const filter = { ...NO_FILTER, sort, order };
    const forth: string[][] = [];
    let page = await read(filter);
    for (;;) {
      forth.push(ids(page));
      if (page.older === null) break;
      page = await list.listPayouts(merchant.person('clerk'), { filter, place: page.older });
    }
    expect(new Set(forth.flat()).size).toBe(ROWS);
    expect(forth.map((one) => one.length)).toEqual([25, 25, 15]);
    const back: string[][] = [ids(page)];
    while (page.newer !== null) {
      page = await list.listPayouts(merchant.person('clerk'), { filter, place: page.newer });
      back.unshift(ids(page));
    }
    expect(back.flat()).toEqual(forth.flat());
  });

  test('a place read from an address is the same place', async () => {
    const page = await read({ sort: 'name', order: 'ascending' });
    const again = readPayoutQuery({ sort: 'name', after: page.older!.edge });
    expect(ids(await list.listPayouts(merchant.person('clerk'), again))).toEqual(
      ids(
        await list.listPayouts(merchant.person('clerk'), {
          filter: { ...NO_FILTER, sort: 'name', order: 'ascending' },
          place: page.older,
        }),
      ),
    );
  });

  test('names run by the Turkish alphabet', async () => {
    const { rows } = await merchant.owner.query<{ name: string }>(
      'SELECT DISTINCT ON (name_sort) name FROM movements WHERE merchant_id = $1 ORDER BY name_sort',
      [merchant.merchantId],
    );
    expect(rows.map((row) => row.name)).toEqual(
      [...NAMES].sort((a, b) => a.localeCompare(b, 'tr')),
    );
  });

  test('any spelling finds the name, and no sign of a pattern is taken as one', async () => {
    for (const text of ['ISIK', 'ışık', 'Işık', 'isik'])
      expect(new Set((await read({ text })).rows.map((row) => row.name))).toEqual(
        new Set(['Işık Düğme']),
      );
    expect(new Set((await read({ text: 'DÜĞME işık' })).rows.map((row) => row.name))).toEqual(
      new Set(['Işık Düğme']),
    );
    expect((await read({ text: '100% pamuk_' })).rows.length).toBe(5);
    expect((await read({ text: '1_0% pamuk' })).rows).toEqual([]);
  });

  test('an IBAN with spaces, a reference and an amount in either notation are found', async () => {
    expect(
      (await read({ text: 'tr33 0006 1005 1978 6457 8400 07' })).rows.map((row) => row.extId),
    ).toEqual(['REF0007QWXZQWXZQWXZQ']);
    expect((await read({ text: 'ref-0007-qwxz-qwxz-qwxzq' })).rows.map((row) => row.extId)).toEqual(
      ['REF0007QWXZQWXZQWXZQ'],
    );
    for (const text of ['12.401,00', '12,401.00', '₺12.401'])
      expect((await read({ text })).rows.every((row) => row.amount === '12401.00')).toBe(true);
  });

  test('days are days of Istanbul, both ends included', async () => {
    const before = await read({ to: '2026-03-05' });
    const after = await read({ from: '2026-03-06' });
    // 20:59:59 UTC is 23:59:59 in Istanbul; one second later 6 March begins there.
    expect(before.totals!.reduce((sum, total) => sum + total.count, 0)).toBe(3);
    expect(after.totals!.reduce((sum, total) => sum + total.count, 0)).toBe(ROWS - 3);
  });

  test('are read with a filter and left out for another page, which has the same rows either way', async () => {
    const query = { filter: { ...NO_FILTER, view: 'completed' as const }, place: null };
    const [whole, rowsOnly] = [
      await list.listPayouts(merchant.person('clerk'), query),
      await list.listPayouts(merchant.person('clerk'), query, { totals: false }),
    ];
    expect(rowsOnly.totals).toBeNull();
    expect(whole.totals).not.toBeNull();
    expect(ids(rowsOnly)).toEqual(ids(whole));
  });

  test('sums are of the whole filter, one for each currency', async () => {
    const { totals } = await read({ wallet: '4410270001' });
    const { rows } = await merchant.owner.query<{ currency: string; count: number; sum: string }>(
      `SELECT currency, count(*)::int AS count, (sum(amount_minor) / 100)::numeric(20, 2)::text AS
        sum FROM movements WHERE merchant_id = $1 AND wallet = '4410270001' GROUP BY 1 ORDER BY 2 DESC`,
      [merchant.merchantId],
    );
    expect(totals).toEqual(rows.map((row) => ({ part: 'pending', ...row })));
  });

  test('ticked rows are found again in any order, and none of another merchant', async () => {
    const [, second, third] = ids(await read({}));
    const { rows: foreign } = await stranger.owner.query<{ id: string }>(
      'SELECT id FROM movements WHERE merchant_id = $1 LIMIT 1',
      [stranger.merchantId],
    );
    const picked = [third!, foreign[0]!.id, second!];
    const page = await read({ picked });
    expect(ids(page)).toEqual([second, third]);
    expect(page.totals!.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  test('another merchant has another list', async () => {
    expect(
      (await list.listPayouts(stranger.person('clerk'), { filter: NO_FILTER, place: null })).rows,
    ).toHaveLength(3);
  });

  test('support sees a payee masked, everyone else whole', async () => {
    const shown = async (role: 'support' | 'auditor') =>
      (await list.listPayouts(merchant.person(role), { filter: NO_FILTER, place: null })).rows[0]!
        .iban;
    expect(await shown('support')).toMatch(/^TR\*\*…\d{4}$/);
    expect(await shown('auditor')).toMatch(/^TR\d{24}$/);
  });
});

describe('the tabs', () => {
  test('every payout is in exactly one', async () => {
    const cases: [
      Parameters<typeof storedMovement>[1],
      Record<string, unknown>,
      PayoutFilter['view'],
    ][] = [
      ['UNKNOWN', {}, 'attention'],
      ['MANUAL_REVIEW', {}, 'attention'],
      ['PENDING', {}, 'progress'],
      ['APPROVED', {}, 'progress'],
      ['SUBMITTING', {}, 'progress'],
      ['COMPLETED', {}, 'completed'],
      ['COMPLETED', { returned: 'REPORTED' }, 'attention'],
      ['COMPLETED', { returned: 'CONFIRMED' }, 'failed'],
      ['REJECTED', {}, 'failed'],
      ['FAILED', {}, 'failed'],
      ['CANCELLED', {}, 'failed'],
      ['REJECTED', { alert: 'contradiction' }, 'attention'],
      ['PENDING', { alert: 'not_seen_for_a_week' }, 'attention'],
    ];
    const needed = (await read({})).needAttention;
    for (const [state, columns, view] of cases) {
      const id = await storedMovement(merchant, state, columns);
      for (const tab of ['attention', 'progress', 'completed', 'failed'] as const) {
        expect(
          ids(await read({ view: tab, sort: 'date', order: 'descending' })).includes(id),
          `${state} ${JSON.stringify(columns)} in ${tab}`,
        ).toBe(tab === view);
      }
    }
    expect((await read({})).needAttention - needed).toBe(
      cases.filter(([, , view]) => view === 'attention').length,
    );
  });
});

test('the database folds the letters of names exactly as the search text is folded', async () => {
  const letters = [
    ...'abcçdefgğhıijklmnoöpqrsştuüvwxyz',
    ...'ABCÇDEFGĞHIİJKLMNOÖPQRSŞTUÜVWXYZ',
    ..."âîûÂÎÛéÉñßøØæÆ0123456789 .,-&()'’",
    ...'ƏəИЙийѢҚқΑΆαςԱաÐđẞΩﬁ９Ａ\u0488\u20dd\u00a0\u200d\u2028\u3000\ufeff\t\n',
    ...Array.from({ length: 0x600 - 0xa0 }, (_, n) => String.fromCodePoint(0xa0 + n)),
  ];
  const names = fc.sample(
    fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 40 }),
    { numRuns: 4_000, seed: 7 },
  );
  const { rows } = await merchant.owner.query<{ name: string; fold: string }>(
    'SELECT name, fold_for_search(name) AS fold FROM unnest($1::text[]) AS name',
    [names],
  );
  for (const row of rows) expect(row.fold).toBe(foldForSearch(row.name));
});
