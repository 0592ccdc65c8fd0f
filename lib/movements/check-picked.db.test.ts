import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Check from './check-picked.ts';
import { readyMovements, rowOf, storedMovement } from './testing/stored.ts';

/** "Check again" for ticked rows: which rows are queued for a check, and who may do this. */

let merchant: TestMerchant;
let stranger: TestMerchant;
let web: Process;
let check: typeof Check;

beforeAll(async () => {
  stranger = await testMerchant();
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  check = await import('./check-picked.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), stranger.close()]);
});

const later = { next_at: new Date(Date.now() + 3_600_000) };

describe('a check of ticked rows', () => {
  it('queues each that the provider may know, once, and says how many it did not', async () => {
    const [unknown, pending, done] = [
      await storedMovement(merchant, 'UNKNOWN', later),
      await storedMovement(merchant, 'PENDING', later),
      await storedMovement(merchant, 'COMPLETED', { next_at: null }),
    ];
    const [waiting] = await readyMovements(merchant, 1, { dueInMs: 3_600_000 });
    const before = await rowOf(merchant, waiting!);
    const picked = [unknown, pending, done, waiting!, unknown, 'x'];
    expect(await check.checkPicked(merchant.person('support'), picked)).toEqual({
      queued: 3,
      recent: 0,
      nothing: 1,
    });
    for (const id of [unknown, pending, done]) {
      const { next_at: at } = await rowOf(merchant, id);
      expect(at!.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    }
    expect((await rowOf(merchant, waiting!)).next_at, 'a first send keeps its place').toEqual(
      before.next_at,
    );
    await merchant.owner.query(
      'UPDATE movements SET last_hint_at = clock_timestamp() WHERE id = ANY($1)',
      [[unknown, pending, done]],
    );
    expect(await check.checkPicked(merchant.person('clerk'), picked)).toEqual({
      queued: 0,
      recent: 3,
      nothing: 1,
    });
  });

  it('is refused without rows, with more than fifty, with rows of others, and to who may not ask', async () => {
    const own = await storedMovement(merchant, 'PENDING', later);
    const foreign = await storedMovement(stranger, 'PENDING', later);
    const many = await readyMovements(merchant, 51, { dueInMs: 3_600_000 });
    for (const [role, ids, code] of [
      ['clerk', [], 'nothing_picked'],
      ['clerk', ['x', ''], 'nothing_picked'],
      ['clerk', many, 'too_many_picked'],
      ['clerk', [foreign], 'not_found'],
      ['auditor', [own], 'not_allowed'],
    ] as const)
      await expect(check.checkPicked(merchant.person(role), ids)).rejects.toMatchObject({ code });
    expect((await rowOf(stranger, foreign)).next_at).toEqual(later.next_at);
    expect((await rowOf(merchant, own)).next_at).toEqual(later.next_at);
  });

  it('by two people at once on the same rows queues each row once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await storedMovement(merchant, 'PENDING', later));
    const answers = await Promise.all([
      check.checkPicked(merchant.person('clerk'), ids),
      check.checkPicked(merchant.person('approver'), ids.toReversed()),
    ]);
    expect(answers.map(({ queued }) => queued).sort((a, b) => a - b)).toEqual([0, 10]);
  });
});
