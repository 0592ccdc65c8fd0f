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
