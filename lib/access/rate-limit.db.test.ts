import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
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
beforeEach(async () => {
  await merchant.owner.query('DELETE FROM rate_limits WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
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
  const burst = await refusals(
    Array.from({ length: 50 }, (_, n) => submit('clerk', n % 2 === 0 ? one : other)),
  );
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
