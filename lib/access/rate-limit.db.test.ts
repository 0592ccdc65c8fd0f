import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { Person, Role } from './actor.ts';
import { windowLasts } from '#lib/testing/limit-window.ts';
import { setColumns, storedMovement } from '#lib/movements/testing/stored.ts';
import type { PayoutForm } from '#lib/payouts/schema.ts';

/**
 * Rate limits, which the database counts for all processes together. A refused attempt counts only
 * for the person who made it.
 */

let merchant: TestMerchant;
let one: Process;
let other: Process;

beforeAll(async () => {
  merchant = await testMerchant();
  const key = () => randomBytes(32).toString('base64');
  // No server listens at this address: an attempt is counted before the provider is called.
  const nobody = 'https://127.0.0.1:1';
  Object.assign(process.env, {
    AUTH_SECRET: key(),
    DATA_KEY: key(),
    WEBHOOK_KEY: key(),
    SANDBOX: 'off',
    APP_ORIGIN: 'https://desk.test',
    LOGIN_BASE_URL: nobody,
    WALLET_AUTH_URL: nobody,
    WALLET_API_URL: nobody,
    CARD_BASE_URL: nobody,
    CARD_APP_ID: 'app',
    CARD_APP_SECRET: 'given-by-the-gateway',
  });
  one = await openProcess('dashboard_web');
  other = await openProcess('dashboard_web');
});
afterAll(async () => {
  await Promise.all([one.db.disconnect(), other.db.disconnect(), merchant.close()]);
});
const forget = () =>
  merchant.owner.query('DELETE FROM rate_limits WHERE merchant_id = $1', [merchant.merchantId]);
beforeEach(async () => {
  await windowLasts(60, 20_000);
  await forget();
});

const form = (): PayoutForm =>
  ({
    content: {
      id: randomUUID(),
      source: { kind: 'wallet', number: '1000000001' },
      iban: 'TR330006100519786457841326',
      name: 'Ayşe Yılmaz',
      taxNumber: '10000000146',
      amountMinor: 100n,
      paymentType: '1',
      description: 'x',
    },
    writtenCurrency: null,
    overrides: [],
    overrideReason: null,
  }) as unknown as PayoutForm;

async function refusals(work: Promise<unknown>[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const result of await Promise.allSettled(work)) {
    const code =
      result.status === 'rejected' ? String((result.reason as { code?: string }).code) : 'done';
    found[code] = (found[code] ?? 0) + 1;
  }
  return found;
}

it('a person makes twenty payouts a minute over all processes, and a colleague is not limited by it', async () => {
  const submit = (who: 'clerk' | 'approver', at: Process) =>
    at.submit.submitPayout(merchant.person(who), form(), { locale: 'tr', retryOf: null });
  // Ten at once, so that none waits for a connection of its process, which fails after three seconds.
  const burst = { wallet_unverified: 0, too_many: 0 };
  for (let begun = 0; begun < 50; begun += 10) {
    const ten = Array.from({ length: 10 }, (_, n) => submit('clerk', n % 2 === 0 ? one : other));
    const { wallet_unverified = 0, too_many = 0, ...unexpected } = await refusals(ten);
    expect(unexpected).toEqual({});
    burst.wallet_unverified += wallet_unverified;
    burst.too_many += too_many;
  }
  expect(burst).toEqual({ wallet_unverified: 20, too_many: 30 });
  expect(await refusals([submit('approver', one)])).toEqual({ wallet_unverified: 1 });
  await expect(submit('clerk', one)).rejects.toMatchObject({
    code: 'too_many',
    params: { seconds: expect.any(Number) },
  });
}, 60_000);

it('provider requests and webhook replays have rate limits, and a refusal is not counted for all', async () => {
  const id = await storedMovement(merchant, 'PENDING');
  const ask = async () => {
    await setColumns(merchant, id, { last_hint_at: null });
    return one.checkNow.checkNow(merchant.person('support'), id);
  };
  const outcomes: string[] = [];
  for (let n = 0; n < 70; n++)
    outcomes.push(
      await ask().then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    );
  expect([outcomes.filter((one) => one === 'done').length, outcomes.at(-1)]).toEqual([
    60,
    'too_many',
  ]);
  const { rows } = await merchant.owner.query(
    `SELECT count FROM rate_limits WHERE merchant_id = $1 AND key = 'movement.ask:all'`,
    [merchant.merchantId],
  );
  expect(rows).toEqual([{ count: 60 }]);

  const { checkPicked } = await import('#lib/movements/check-picked.ts');
  const presses = Array.from({ length: 12 }, () => checkPicked(merchant.person('support'), [id]));
  expect(await refusals(presses), 'a check of ticked rows').toEqual({ done: 10, too_many: 2 });

  await one.receive.receiveWebhook(merchant.merchantId, 'wallet', 'nothing');
  const {
    rows: [notice],
  } = await merchant.owner.query('SELECT id::text FROM notices WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  const replays = await refusals(
    Array.from({ length: 40 }, () =>
      one.receive.replayWebhook(merchant.person('owner'), notice.id),
    ),
  );
  expect(replays).toEqual({ done: 30, too_many: 10 });
}, 60_000);

/** Does `work` within one minute of the database's clock; where the minute ends, once more. */
async function inOneMinute<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    await forget();
    const result = await work();
    const { rows } = await merchant.owner.query(
      'SELECT DISTINCT window_start FROM rate_limits WHERE merchant_id = $1',
      [merchant.merchantId],
    );
    if (rows.length === 1) return result;
  }
}

it('the limits of a person, of an address and of all refuse, and count no attempt that one refuses', async () => {
  const { countAttempt } = await import('./rate-limit.ts');
  const from = (role: Role, ip: string): Person => ({ ...merchant.person(role), ip });
  const attempts = (actor: Person, count: number) =>
    refusals(Array.from({ length: count }, () => countAttempt(actor, 'movement.ask_many')));
  const [office, home] = ['203.0.113.8', '203.0.113.9'] as const;
  // Ten a minute for a person, twenty for an address, thirty for all.
  const counted = await inOneMinute(async () => [
    await attempts(from('clerk', office), 11),
    await attempts(from('support', office), 10),
    await attempts(from('owner', office), 1),
    await attempts(from('owner', home), 10),
    await attempts(from('approver', home), 1),
  ]);
  expect(counted).toEqual([
    { done: 10, too_many: 1 },
    { done: 10 },
    { too_many: 1 },
    { done: 10 },
    { too_many: 1 },
  ]);
  const { rows } = await merchant.owner.query<{ key: string; count: number }>(
    `SELECT replace(key, 'movement.ask_many:', '') AS key, count FROM rate_limits
      WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  const person = (role: Role): string => `person:${merchant.person(role).personId}`;
  expect(Object.fromEntries(rows.map(({ key, count }) => [key, count]))).toEqual({
    ...{ [person('clerk')]: 10, [person('support')]: 10, [person('owner')]: 10 },
    ...{ [`address:${office}`]: 20, [`address:${home}`]: 10, all: 30 },
  });
});

it('only the commit of a counted attempt does not wait for the disk, and no later one of its connection', async () => {
  const { countAttempt } = await import('./rate-limit.ts');
  const { inOne, sql } = await import('#lib/runtime/db.ts');
  const onEachConnection = <T>(work: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: 10 }, work));
  await onEachConnection(() => countAttempt(merchant.person('clerk'), 'movement.ask'));
  const later = await onEachConnection(() =>
    inOne<{ source: string }>(
      merchant.merchantId,
      sql`SELECT source FROM pg_settings WHERE name = 'synchronous_commit'`,
    ),
  );
  expect(later.filter(([row]) => row!.source === 'session')).toEqual([]);
});
