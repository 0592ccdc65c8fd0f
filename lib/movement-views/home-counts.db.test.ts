import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { setColumns, storedMovement } from '#lib/movements/testing/stored.ts';
import { WAITING_GROUPS } from '#lib/movements/waiting.ts';
import type { WaitingGroup } from '#lib/movements/waiting.ts';
import { NO_FILTER } from '#lib/payouts/filter.ts';
import type { PayoutFilter } from '#lib/payouts/filter.ts';
import { CARD_BALANCE } from '#lib/payouts/schema.ts';
import type { Listed } from '#lib/payouts/conditions.ts';
import type * as List from '#lib/payouts/list.ts';
import type * as Overview from './overview.ts';

/**
 * Each number of movements on the home page equals the number of rows of the list that it opens,
 * over movements in every state and of every kind that a list shows.
 */

const KINDS = ['payout', 'cashout', 'transfer_person', 'transfer_business', 'transfer_own'];
const LISTS = {
  payouts: ['payouts', {}],
  card_balance: ['payouts', { wallet: CARD_BALANCE }],
  transfers: ['transfers', {}],
} as const satisfies Record<string, readonly [Listed, Partial<PayoutFilter>]>;

let merchant: TestMerchant;
let web: Process;
let list: typeof List;
let overview: typeof Overview;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  list = await import('#lib/payouts/list.ts');
  overview = await import('./overview.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

/** Movements of one kind, some of each state and of each mark that a list or the home page reads. */
async function everyState(kind: string): Promise<void> {
  const store = (
    state: Parameters<typeof storedMovement>[1],
    columns: Record<string, unknown> = {},
    given: Parameters<typeof storedMovement>[3] = {},
  ): Promise<string> => storedMovement(merchant, state, columns, { kind, ...given });
  const ended = { ended_at: new Date() };
  const returned = { ...ended, returned: 'CONFIRMED', returned_at: new Date() };
  for (const state of [
    'CANCELLED',
    'SUBMITTING',
    'UNKNOWN',
    'UNKNOWN',
    'PENDING',
    'REJECTED',
    'MANUAL_REVIEW',
    'COMPLETED',
    'FAILED',
  ] as const)
    await store(state);
  await store('UNKNOWN', { alert: 'unknown_too_long' });
  await store('REJECTED', { alert: 'contradiction' });
  await store('COMPLETED', { ...ended, returned: 'REPORTED' });
  await store('COMPLETED', returned);
  await store('REJECTED', { state_since: new Date(Date.now() - 31 * 24 * 3_600_000) });
  await store('REJECTED', {
    outcome_seen_at: new Date(),
    outcome_seen_by: merchant.person('clerk').personId,
  });
  const paidAgain = await store('FAILED');
  await store('PENDING', {}, { retryOf: paidAgain });
  await store('APPROVED');
  await store('APPROVED', { not_sent_tries: 2 });
  await store('APPROVED', { not_sent_tries: 6, alert: 'provider_unreachable' });
  await store('APPROVED', { not_sent_tries: 2, alert: 'journal_unwritable' });
}

/** The ids of all rows of the list that a number opens, and its total below them. */
async function listed(name: keyof typeof LISTS, waits: WaitingGroup): Promise<string[]> {
  const [of, narrowed] = LISTS[name];
  const filter = { ...NO_FILTER, ...narrowed, waits };
  const ids: string[] = [];
  let page = await list.listPayouts(
    merchant.person('clerk'),
    { filter, place: null },
    { totals: true },
    of,
  );
  const total = page.totals!.reduce((all, { count }) => all + count, 0);
  for (;;) {
    ids.push(...page.rows.map(({ id }) => id));
    if (page.older === null) break;
    page = await list.listPayouts(
      merchant.person('clerk'),
      { filter, place: page.older },
      undefined,
      of,
    );
  }
  expect(total, `${name} ${waits}`).toBe(ids.length);
  return ids;
}

async function home(waits: WaitingGroup): Promise<{ list: string; count: number }[]> {
  const { unknown, needs, outcomes, queued } = await overview.overviewMovements(
    merchant.person('clerk'),
  );
  return { unknown, person: needs, outcome: outcomes, queued }[waits].lists;
}

it('counts, for each list, exactly the movements that the list shows', async () => {
  for (const kind of KINDS) await everyState(kind);
  const expected = { unknown: 3, person: 5, outcome: 3, queued: 2 };
  for (const waits of WAITING_GROUPS) {
    const counts: { list: string; count: number }[] = [];
    for (const name of Object.keys(LISTS) as (keyof typeof LISTS)[])
      counts.push({ list: name, count: (await listed(name, waits)).length });
    expect(await home(waits), waits).toEqual(counts);
    expect(counts.map(({ count }) => count)).toEqual([
      expected[waits],
      expected[waits],
      3 * expected[waits],
    ]);
  }
  const { unknown } = await overview.overviewMovements(merchant.person('clerk'));
  expect(unknown.totals).toEqual([{ currency: 'TRY', count: 15, sum: '1851.75' }]);
});

it('counts as queued only what is sent by itself: nothing stopped, and nothing that a restore holds', async () => {
  const { owner, merchantId } = merchant;
  await owner.query(
    `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at, ended_at)
     VALUES ($1, 'asked', clock_timestamp(), clock_timestamp(), clock_timestamp(),
       clock_timestamp(), clock_timestamp())`,
    [merchantId],
  );
  expect(await home('queued'), 'older than the recovery').toEqual([]);
  const younger = await storedMovement(merchant, 'APPROVED', { not_sent_tries: 1 });
  const first = await storedMovement(
    merchant,
    'APPROVED',
    { not_sent_tries: 1 },
    { kind: 'cashout' },
  );
  const { listHeldSends } = await import('#lib/send-control/list-held.ts');
  const held = (await listHeldSends(merchant.person('owner'))).map(({ id }) => id);
  expect([held.includes(younger), held.includes(first)]).toEqual([false, true]);
  expect(await home('queued'), 'the first to its payee').toEqual([{ list: 'payouts', count: 1 }]);
  expect(await listed('payouts', 'queued')).toEqual([younger]);
  await owner.query(
    `INSERT INTO send_confirmations (merchant_id, movement_id, confirmed_by) VALUES ($1, $2, $3)`,
    [merchantId, first, merchant.person('owner').personId],
  );
  expect(await listed('card_balance', 'queued'), 'confirmed').toEqual([first]);
  await setColumns(merchant, younger, { not_sent_tries: 0 });
  expect((await home('queued')).map((one) => one.list)).toEqual(['card_balance']);
  await owner.query(
    `INSERT INTO send_switches (merchant_id, kind, cause, off, reason)
     VALUES ($1, 'cashout', 'person', true, 'a bad file')`,
    [merchantId],
  );
  expect(await home('queued'), 'stopped').toEqual([]);
});

it('opens the days of all the differences that it counts, however old, and no other day', async () => {
  const reports = await import('#lib/reports/reconciliation/view.ts');
  const clerk = merchant.person('clerk');
  const insert = (days: number, state: string, reference: string) =>
    merchant.owner.query(
      `WITH d AS (INSERT INTO reconciliations (merchant_id, day, compared_at)
         VALUES ($1, current_date - $2::int, clock_timestamp()) ON CONFLICT DO NOTHING)
       INSERT INTO differences (merchant_id, day, kind, reference, state, closed_at)
       VALUES ($1, current_date - $2::int, 'missing_here', $4, $3,
         CASE WHEN $3 = 'CLOSED' THEN clock_timestamp() END)`,
      [merchant.merchantId, days, state, reference],
    );
  for (let back = 2; back <= 80; back += 2) await insert(back, 'OPEN', `open${back}`);
  await insert(2, 'OPEN', 'second of one day');
  await insert(5, 'CLOSED', 'closed');
  let [days, before]: [{ day: string; open: number }[], string | null] = [[], null];
  do {
    const page = await reports.listDays(clerk, before, { open: true });
    days = [...days, ...page.days];
    before = page.older;
  } while (before !== null);
  expect(await reports.countOpenDifferences(clerk)).toBe(41);
  expect(days.reduce((all, { open }) => all + open, 0)).toBe(41);
  expect(days.every(({ open }) => open > 0)).toBe(true);
  expect(new Set(days.map(({ day }) => day)).size).toBe(days.length);
});
