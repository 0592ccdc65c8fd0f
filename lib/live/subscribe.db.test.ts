import { afterAll, beforeAll, expect, it } from 'vitest';
import { testMerchant } from '#lib/testing/database.ts';
import type { TestMerchant } from '#lib/testing/database.ts';
import type { PublishedEvent } from './subscribe.ts';
import { LIVE_KINDS } from './kinds.ts';

let merchant: TestMerchant;
beforeAll(async () => {
  merchant = await testMerchant();
});
afterAll(() => merchant.close());

it.each([
  '',
  'not JSON',
  'null',
  '[]',
  '{}',
  '{"merchantId":1}',
  '"text"',
  '{"merchantId":"ours","kind":"database","up":false}',
  '{"merchantId":"ours","kind":"money","id":"7"}',
  '{"merchantId":"ours","kind":"movement"}',
])(
  'an announcement that is none (%s) neither ends the process nor reaches a page, and the next one does',
  async (payload) => {
    const { listening, subscribe } = await import('./subscribe.ts');
    await listening();
    const events: PublishedEvent[] = [];
    const notified = new Promise<void>((resolve) => {
      subscribe(merchant.merchantId, (event) => {
        events.push(event);
        resolve();
      });
    });
    await merchant.owner.query(`SELECT pg_notify('dashboard', $1)`, [
      payload.replace('ours', merchant.merchantId),
    ]);
    await merchant.owner.query(`SELECT pg_notify('dashboard', $1)`, [
      JSON.stringify({ merchantId: merchant.merchantId, kind: 'movement', id: '7' }),
    ]);
    await notified;
    expect(events).toEqual([{ kind: 'movement', id: '7' }]);
  },
);

it.each(LIVE_KINDS)(
  'a change of kind %s reaches the open pages',
  async (kind) => {
    const { listening, subscribe } = await import('./subscribe.ts');
    await listening();
    const published = new Promise<PublishedEvent>(
      (resolve) => void subscribe(merchant.merchantId, resolve),
    );
    await merchant.owner.query(`SELECT pg_notify('dashboard', $1)`, [
      JSON.stringify({ merchantId: merchant.merchantId, kind, id: '7' }),
    ]);
    expect(await published).toEqual({ kind, id: '7' });
  },
  10_000,
);

it('a change of a person says in which session it was made, one of a worker in none', async () => {
  const { listening, subscribe } = await import('./subscribe.ts');
  const { publish, publishEach } = await import('./publish.ts');
  const { inTransaction } = await import('#lib/runtime/db.ts');
  await listening();
  const person = merchant.person('clerk');
  const events: PublishedEvent[] = [];
  const all = new Promise<void>((resolve) => {
    subscribe(merchant.merchantId, (event) => {
      if (events.push(event) === 3) resolve();
    });
  });
  await inTransaction(merchant.merchantId, async (tx) => {
    await publishEach(tx, person, [
      { kind: 'card', id: '1' },
      { kind: 'card', id: '2' },
    ]);
    await publish(tx, { merchantId: merchant.merchantId }, { kind: 'card', id: '3' });
  });
  await all;
  expect(events).toEqual([
    { kind: 'card', id: '1', by: person.sessionId, tx: expect.any(String) },
    { kind: 'card', id: '2', by: person.sessionId, tx: expect.any(String) },
    { kind: 'card', id: '3', tx: expect.any(String) },
  ]);
});

it('a page is told what was committed after its reading, even if it was announced before, and no more', async () => {
  const { changesUnseenBy, listening, subscribe } = await import('./subscribe.ts');
  const { publish } = await import('./publish.ts');
  const { inTransaction } = await import('#lib/runtime/db.ts');
  await listening();
  const us = { merchantId: merchant.merchantId };
  const snapshot = async (): Promise<string> =>
    (await merchant.owner.query('SELECT pg_current_snapshot()::text AS now')).rows[0].now;
  const announced = (id: string): Promise<void> =>
    new Promise((resolve) => {
      subscribe(us.merchantId, (event) => {
        if ('id' in event && event.id === id) resolve();
      });
    });
  const unseen = (since: string) => changesUnseenBy(us.merchantId, since)?.map(({ id }) => id);
  let drawn = '';
  const [first, second] = [announced('first'), announced('second')];
  await inTransaction(us.merchantId, (tx) => publish(tx, us, { kind: 'card', id: 'first' }));
  await inTransaction(us.merchantId, async (tx) => {
    await publish(tx, us, { kind: 'card', id: 'second' });
    drawn = await snapshot();
  });
  await Promise.all([first, second]);
  expect(unseen(drawn), 'the page was drawn before the commit').toEqual(['second']);
  expect(unseen(await snapshot())).toEqual([]);
  expect(changesUnseenBy('another merchant', drawn)).toEqual([]);
});
