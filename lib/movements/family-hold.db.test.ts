import { beforeAll, beforeEach, expect, it } from 'vitest';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { fakePorts, fakeProvider } from './testing/fake-provider.ts';
import type { FakeProvider } from './testing/fake-provider.ts';
import { readyMovements, rowOf, setColumns, storedMovement } from './testing/stored.ts';

/** What is sent of a "pay again" chain in which a record contradicts the end of one payment. */

let merchant: TestMerchant;
let worker: Process;
let provider: FakeProvider;

beforeAll(async () => {
  const product = await openProduct();
  ({ merchant, worker } = product);
  return product.close;
});
beforeEach(async () => {
  provider = fakeProvider();
  await merchant.owner.query('UPDATE movements SET next_at = NULL WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
});

/** What the provider is asked in some steps of a worker. */
async function askedInSteps(): Promise<[kind: string, id: string][]> {
  for (let step = 0; step < 4; step++)
    await worker.advance.advanceOne(fakePorts(merchant.merchantId, provider));
  // What was accepted is read three seconds later.
  return provider.asked.filter(({ kind }) => kind === 'send').map(({ kind, id }) => [kind, id]);
}

it('a payment waits where another one in the place of the same payment may have been paid', async () => {
  const first = await storedMovement(merchant, 'REJECTED');
  const other = await storedMovement(merchant, 'REJECTED', {}, { retryOf: first });
  const last = await storedMovement(merchant, 'REJECTED', {}, { retryOf: other });
  const [id] = (await readyMovements(merchant, 1, { retryOf: first })) as [string];
  await setColumns(merchant, last, { alert: 'contradiction' });
  expect(await askedInSteps()).toEqual([]);
  expect(await rowOf(merchant, id)).toMatchObject({
    state: 'APPROVED',
    alert: 'earlier_may_be_paid',
  });
});

it('a payment leaves where only a payment of another chain may have been paid', async () => {
  const [first, stranger] = [
    await storedMovement(merchant, 'REJECTED'),
    await storedMovement(merchant, 'REJECTED'),
  ];
  const [id] = (await readyMovements(merchant, 1, { retryOf: first })) as [string];
  await setColumns(merchant, stranger, { alert: 'contradiction' });
  expect(await askedInSteps()).toEqual([['send', id]]);
});
