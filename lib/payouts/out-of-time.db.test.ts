import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { sql } from '#lib/runtime/db.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { NO_FILTER } from './filter.ts';

/** A list of which so many rows match that the database cannot order them in its time. */

let merchant: TestMerchant;
let web: Process;

beforeAll(async () => {
  merchant = await testMerchant();
  await storedMovement(merchant, 'UNKNOWN');
  web = await openProcess('dashboard_web');
});
afterAll(async () => {
  vi.doUnmock('#lib/readings/match-movements.ts');
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

it('says that too many rows match, with its tabs, instead of failing; other errors fail as before', async () => {
  vi.doMock('#lib/readings/match-movements.ts', () => ({
    matchMovements: async () => null,
    movementMatches: (_actor: unknown, text: string) =>
      text === 'slow'
        ? sql`pg_sleep(6) IS NOT NULL`
        : sql`1 / (m.amount_minor - m.amount_minor) = 1`,
  }));
  const { listPayouts } = await import('./list.ts');
  const read = (text: string) =>
    listPayouts(merchant.person('clerk'), { filter: { ...NO_FILTER, text }, place: null });
  expect(await read('slow')).toMatchObject({
    rows: [],
    totals: null,
    isOutOfTime: true,
    needAttention: 1,
    any: true,
    newer: null,
    older: null,
  });
  await expect(read('broken')).rejects.toMatchObject({ code: '22012' });
}, 30_000);
