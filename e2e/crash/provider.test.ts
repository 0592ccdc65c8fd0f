import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { processes } from '../processes.ts';
import { sandbox } from '../sandbox.ts';
import { word } from '../words.ts';
import { hasten, stored } from './books.ts';
import { payment, type Payment } from './plan.ts';
import { until, up } from './trouble.ts';
import { shown, signIn, submit, type Visitor } from './web.ts';

/** A provider that cannot be reached while payouts wait. */

const TRIES = 5;
const WAIT_MS = 600_000;

let visitor: Visitor;
beforeAll(async () => {
  visitor = await signIn('selin@demo.test');
  await processes.stop('worker-2');
});
beforeEach(() => sandbox.calm());
afterEach(async () => {
  await sandbox.calm();
  await up('sandbox');
  await processes.stop('worker');
  await processes.start('worker');
});
afterAll(() => up('worker-2'));

test('while the provider refuses connections a payout stays queued and is called not sent, and it leaves once when the provider is back', async () => {
  await warm();
  const [one] = (await queue(1)) as [Payment];
  await processes.stop('sandbox');
  await processes.thaw('worker');
  await until(`it was tried ${TRIES} times`, async () => {
    await hasten(one.id);
    return (await stored(one.id)).not_sent_tries >= TRIES;
  });
  await until('it waits for the next try', async () => (await stored(one.id)).state === 'APPROVED');
  expect(await stored(one.id)).toMatchObject({ ever_ambiguous: false, attention: 'provider_unreachable' });
  expect(new Set(await shown(visitor, one.id))).toEqual(new Set([`₺123.00 ${word('en', 'states', 'APPROVED')}`]));
  await processes.start('sandbox');
  await paidOnce([one]);
  expect(await sandbox.sendsTo(one.payee.iban)).toHaveLength(1);
});

/** The worker has a token that the provider knows, and stands still. */
async function warm(): Promise<void> {
  await up('worker');
  await paidOnce(await queue(1));
  await processes.freeze('worker');
}

async function queue(count: number): Promise<Payment[]> {
  const batch = Array.from({ length: count }, () => payment());
  await Promise.all(batch.map((one) => submit(visitor, one, Math.random, AbortSignal.timeout(WAIT_MS))));
  return batch;
}

async function paidOnce(batch: Payment[]): Promise<void> {
  await until('all of them are completed', async () => {
    await Promise.all(batch.map(({ id }) => hasten(id)));
    return (await Promise.all(batch.map(({ id }) => stored(id)))).every((row) => row.state === 'COMPLETED');
  });
  const lines = await Promise.all(batch.map(({ payee }) => sandbox.paidTo(payee.iban)));
  expect(lines.map((paid) => paid.map((line) => line.amount))).toEqual(batch.map(({ amountMinor }) => [(amountMinor / 100).toFixed(2)]));
}
