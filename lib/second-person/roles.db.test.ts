import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { readyMovements, rowOf } from '#lib/movements/testing/stored.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { agedMovement } from './testing/aged.ts';

let merchant: TestMerchant;
let web: Process;
let worker: Process;
beforeAll(async () => {
  const product = await openProduct();
  ({ merchant, web, worker } = product);
  return product.close;
});

/**
 * Creates a movement that was sent a day ago, got no response, and was not found by three reads
 * since.
 */
async function unknown(): Promise<string> {
  const lost = fakeProvider({
    send: () => ({ kind: 'unclear', why: 'timeout', raw: null, code: null, message: null }),
  });
  const [id] = (await readyMovements(merchant, 1)) as [string];
  await merchant.owner.query(
    'UPDATE movements SET next_at = NULL WHERE merchant_id = $1 AND id <> $2',
    [merchant.merchantId, id],
  );
  for (let n = 0; n < 4; n++) {
    await merchant.owner.query(
      `UPDATE movements SET next_at = clock_timestamp() - interval '1 second' WHERE id = $1`,
      [id],
    );
    await worker.advance.advanceOne(fakePorts(merchant.merchantId, lost));
  }
  await agedMovement(merchant, id, 25);
  return id;
}
const say = (id: string, who: 'approver' | 'owner') =>
  web.close
    .closeMovement(
      merchant.person(who),
      { id, claim: 'not_done', reason: 'bize yazdılar', reference: 'TCK-1' },
      300,
    )
    .then(
      (x) => x.kind,
      (e: Error & { code?: string }) => `${e.code} ${e.message}`,
    );

/** What the page shows: what is missing for a closing, and whose claims count. */
async function shown(
  id: string,
): Promise<[string | undefined, (string | boolean)[][] | undefined]> {
  const { viewMovement } = await import('#lib/movement-views/view.ts');
  const statements = (await viewMovement(merchant.person('owner'), id))?.statements;
  return [statements?.standing, statements?.words.map((word) => [word.by, word.counts])];
}

it.each([
  ['may not sign in any more', 'disabled_at = clock_timestamp()'],
  ['may not speak of it any more', `role = 'support'`],
])('the page counts no word of somebody who %s', async (_what, change) => {
  const id = await unknown();
  expect(await say(id, 'approver')).toBe('asked');
  expect(await shown(id)).toEqual(['second_person', [['approver@test', true]]]);
  await merchant.owner.query(`UPDATE people SET ${change} WHERE id = $1`, [
    merchant.person('approver').personId,
  ]);
  const after = await shown(id);
  const second = await say(id, 'owner');
  const withSecond = await shown(id);
  await merchant.owner.query(
    `UPDATE people SET disabled_at = NULL, role = 'approver' WHERE id = $1`,
    [merchant.person('approver').personId],
  );
  expect(after).toEqual(['nobody', [['approver@test', false]]]);
  expect([second, withSecond]).toEqual([
    'asked',
    [
      'second_person',
      [
        ['approver@test', false],
        ['owner@test', true],
      ],
    ],
  ]);
  expect(await say(id, 'owner')).toBe('closed');
  expect((await shown(id))[1], 'what had ended it').toEqual([
    ['approver@test', true],
    ['owner@test', false],
    ['owner@test', true],
  ]);
  await merchant.owner.query(`UPDATE people SET ${change} WHERE id = $1`, [
    merchant.person('approver').personId,
  ]);
  const later = await shown(id);
  await merchant.owner.query(
    `UPDATE people SET disabled_at = NULL, role = 'approver' WHERE id = $1`,
    [merchant.person('approver').personId],
  );
  expect(later, 'what has ended is judged by who could speak then').toEqual([
    'agreed',
    [
      ['approver@test', true],
      ['owner@test', false],
      ['owner@test', true],
    ],
  ]);
});

describe('a word of somebody who may not sign in any more', () => {
  const disabled = (at: string) =>
    merchant.owner.query(`UPDATE people SET disabled_at = ${at} WHERE id = $1`, [
      merchant.person('approver').personId,
    ]);
  it('closes nothing, and is no fault', async () => {
    const id = await unknown();
    expect(await say(id, 'approver')).toBe('asked');
    await disabled('clock_timestamp()');
    const second = await say(id, 'owner');
    await disabled('NULL');
    expect(second).toBe('asked');
    expect((await rowOf(merchant, id)).state).toBe('UNKNOWN');
  });
});

describe('a word of somebody whose login is disabled in another account', () => {
  const inOneLogin = (isOn: boolean) =>
    merchant.owner.query(
      `UPDATE people SET provider_user_id = CASE WHEN $2 THEN 'one login' END,
        disabled_at = CASE WHEN $2 AND role = 'support' THEN now() END
        WHERE merchant_id = $1 AND role IN ('support', 'approver')`,
      [merchant.merchantId, isOn],
    );
  it('closes nothing, and the page does not count it', async () => {
    const id = await unknown();
    expect(await say(id, 'approver')).toBe('asked');
    await inOneLogin(true);
    const after = await shown(id);
    const second = await say(id, 'owner');
    await inOneLogin(false);
    expect(after).toEqual(['nobody', [['approver@test', false]]]);
    expect(second).toBe('asked');
    expect((await rowOf(merchant, id)).state).toBe('UNKNOWN');
  });
  it('contradicts nobody either, and the database agrees', async () => {
    const { takeStatement } = await import('./take-statement.ts');
    const subject = { kind: 'movement', id: randomUUID() } as const;
    const question = { subject, boundTo: 'one state', makerId: null, needs: 'owner' } as const;
    const state = (who: Person, claim: string) =>
      web.db.inTransaction(merchant.merchantId, (tx) =>
        takeStatement(tx, who, question, { claim, reason: 'a', reference: null, evidence: {} }),
      );
    await state(merchant.person('approver'), 'done');
    const first = await state(merchant.person('owner'), 'not_done');
    await inOneLogin(true);
    const second = await state(merchant.person('clerk'), 'not_done').finally(() =>
      inOneLogin(false),
    );
    expect([first.standing.kind, second.standing.kind]).toEqual(['contradicted', 'agreed']);
    expect(second.carriesOut).toBe(true);
  });
});

describe('a word of somebody whose role was taken away', () => {
  const role = (name: 'clerk' | 'approver', to: string) =>
    merchant.owner.query('UPDATE people SET role = $2 WHERE id = $1', [
      merchant.person(name).personId,
      to,
    ]);
  it('closes nothing, and is no fault', async () => {
    const id = await unknown();
    expect(await say(id, 'approver')).toBe('asked');
    await role('approver', 'support');
    const second = await say(id, 'owner');
    await role('approver', 'approver');
    expect(second).toBe('asked');
    expect((await rowOf(merchant, id)).state).toBe('UNKNOWN');
  });
  it('resumes no sending', async () => {
    const which = { kind: 'all', cause: 'person' } as const;
    const { stopSending } = (await import('#lib/send-control/stop.ts')) as unknown as {
      stopSending: (...a: unknown[]) => Promise<void>;
    };
    await stopSending(merchant.person('owner'), 'all', 'a test of it');
    await web.release.requestResume(merchant.person('approver'), which, 'all is well now');
    await role('approver', 'clerk');
    const done = await web.release.confirmResume(merchant.person('owner'), which).then(
      () => 'released',
      (e: { code: string }) => e.code,
    );
    await role('approver', 'approver');
    expect(done).toBe('release_not_asked');
  });
});
