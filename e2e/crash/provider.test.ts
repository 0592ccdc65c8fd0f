import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { rows } from '../database.ts';
import { frozeWorkerAtRest, processes } from '../processes.ts';
import { sandbox } from '../sandbox.ts';
import { word } from '../words.ts';
import { hasten, stored } from './books.ts';
import { payment, type Payment } from './plan.ts';
import { until, up } from './trouble.ts';
import { shown, signIn, submit, type Visitor } from './web.ts';

/** Payouts wait while the provider cannot be reached, or refuses our token. */

const TRIES = 5;
const PAYOUTS = 16;
const WEBS = ['web', 'web-2'] as const;
const WAIT_MS = 600_000;
/** The limit in `lib/providers/wallet/token.ts`. */
const TOKENS_IN_A_ROW = 3;
const TOKEN_REST_MS = 30_000;
const SLOWLY_MS = 4_000;
/** Longer than the lifetime of a sandbox token. */
const TOKENS_OVER = '61m';
const OPERATIONS = [
  'SendMoneyToBankAccount',
  'GetRequestWithdrawByExtId',
  'SummaryRecordByFilter',
  'TransactionReceipt',
  'GetRequestWithdrawListByFilter',
];

let visitor: Visitor;
beforeAll(async () => {
  visitor = await signIn('selin@demo.test');
  await processes.stop('worker-2');
});
beforeEach(() => sandbox.calm());
afterEach(async () => {
  await sandbox.calm();
  await Promise.all(WEBS.map(processes.thaw));
  await up('sandbox');
  await processes.stop('worker');
  await processes.start('worker');
});
afterAll(() => up('worker-2'));

test('a payout stays queued while the provider refuses connections, and leaves once when it is back', async () => {
  await warm();
  const [one] = (await queue(1)) as [Payment];
  await processes.stop('sandbox');
  await processes.thaw('worker');
  await until(`it was tried ${TRIES} times`, async () => {
    await hasten(one.id);
    return (await stored(one.id)).not_sent_tries >= TRIES;
  });
  await until('it waits for the next try', async () => (await stored(one.id)).state === 'APPROVED');
  expect(await stored(one.id)).toMatchObject({
    ever_ambiguous: false,
    alert: 'provider_unreachable',
  });
  const queued = `₺123.00 ${word('en', 'states', 'APPROVED')}`;
  // A last try may be under way.
  await until('both webs show it as queued', async () =>
    (await shown(visitor, one)).every((text) => text === queued),
  );
  await processes.start('sandbox');
  await paidOnce([one]);
  expect(await sandbox.sendsTo(one.payee.iban)).toHaveLength(1);
});

test('a token that expires in the middle of a batch is replaced once, and every payout leaves once', async () => {
  await warm();
  const batch = await queue(PAYOUTS);
  await onlyDue(batch);
  await expireTokens();
  // The token service is slow, so that all payouts request the new token before it exists.
  await sandbox.fault({ operation: 'token', kind: 'delay', ms: SLOWLY_MS, times: PAYOUTS });
  const before = await tokens();
  await processes.thaw('worker');
  await paidOnce(batch);
  const asked = (await tokens()) - before;
  const books = await Promise.all(batch.map(({ id }) => stored(id)));
  expect(books.filter((book) => book.ever_ambiguous)).toEqual([]);
  // Exactly one new token was requested. Either a send or a listing may notice first that the old
  // token has expired.
  expect(asked).toBe(1);
});

test('a token service that is down is asked three times and then once in half a minute under any load', async () => {
  await asksForTokensSparingly(() =>
    sandbox.fault({ operation: 'token', kind: 'status', status: 503, times: 100_000 }),
  );
});

test('a provider that refuses every token it gives is left alone in the same way', async () => {
  await asksForTokensSparingly(() =>
    Promise.all(
      OPERATIONS.map((operation) =>
        sandbox.fault({ operation, kind: 'status', status: 401, times: 100_000 }),
      ),
    ),
  );
});

/**
 * Expires the worker's token, makes every new one unusable, and counts how often the worker
 * requests one.
 */
async function asksForTokensSparingly(spoil: () => Promise<unknown>): Promise<void> {
  await warm();
  const batch = await queue(PAYOUTS);
  await expireTokens();
  await spoil();
  const before = await tokens();
  const began = Date.now();
  await processes.thaw('worker');
  await until('every payout was tried again and again', async () => {
    await Promise.all(batch.map(({ id }) => hasten(id)));
    return (await Promise.all(batch.map(({ id }) => stored(id)))).every(
      (book) => book.not_sent_tries >= TRIES,
    );
  });
  const asked = (await tokens()) - before;
  expect(asked).toBeGreaterThanOrEqual(TOKENS_IN_A_ROW);
  expect(asked).toBeLessThanOrEqual(
    TOKENS_IN_A_ROW + Math.floor((Date.now() - began) / TOKEN_REST_MS),
  );
  expect(
    (await Promise.all(batch.map(({ id }) => stored(id)))).filter((book) => book.ever_ambiguous),
  ).toEqual([]);
  expect((await Promise.all(batch.map(({ payee }) => sandbox.paidTo(payee.iban)))).flat()).toEqual(
    [],
  );
  // A restarted worker does not remember the pause that the earlier failures caused.
  await sandbox.calm();
  await processes.stop('worker');
  await processes.start('worker');
  await paidOnce(batch);
}

/**
 * Expires every token. The webs are suspended, because a web with a read under way would request a
 * token of its own.
 */
async function expireTokens(): Promise<void> {
  await Promise.all(WEBS.map(processes.freeze));
  await sandbox.passTime(TOKENS_OVER);
}

/**
 * Makes only these payouts due, so that a send is the first to notice that the token has expired.
 */
async function onlyDue(batch: Payment[]): Promise<void> {
  await rows(`UPDATE movements SET next_at = next_at + interval '1 day' WHERE id <> ALL ($1)`, [
    batch.map(({ id }) => id),
  ]);
  await rows(`UPDATE receipts SET next_at = next_at + interval '1 day'`);
}

/** Gives the worker a valid token, and freezes it while it has nothing under way. */
async function warm(): Promise<void> {
  await up('worker');
  await paidOnce(await queue(1));
  await until('it is frozen between two transactions', frozeWorkerAtRest);
}

async function queue(count: number): Promise<Payment[]> {
  const batch = Array.from({ length: count }, () => payment());
  await Promise.all(
    batch.map((one) => submit(visitor, one, Math.random, AbortSignal.timeout(WAIT_MS))),
  );
  return batch;
}

async function paidOnce(batch: Payment[]): Promise<void> {
  await until('all of them are completed', async () => {
    await Promise.all(batch.map(({ id }) => hasten(id)));
    return (await Promise.all(batch.map(({ id }) => stored(id)))).every(
      (row) => row.state === 'COMPLETED',
    );
  });
  const lines = await Promise.all(batch.map(({ payee }) => sandbox.paidTo(payee.iban)));
  expect(lines.map((paid) => paid.map((line) => line.amount))).toEqual(
    batch.map(({ amountMinor }) => [(amountMinor / 100).toFixed(2)]),
  );
}

/** How many tokens of the wallet service were requested; the card gateway has one of its own. */
async function tokens(): Promise<number> {
  const requests = await sandbox.requests('token');
  return requests.filter(({ body }) => body.includes('grant_type=')).length;
}
