import { beforeAll, describe, expect, it } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { readyMovements, rowOf } from '#lib/movements/testing/stored.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { environmentOf, gatewayOf } from './provider-account.ts';
import type { ProviderAccount, OwnIdentity } from './provider-account.ts';

/**
 * A database belongs to one account of one provider: a process with another account sends nothing,
 * and people see why.
 */

const LIVE = {
  sandboxOn: false,
  walletAuthUrl: 'https://auth.example/',
  walletApiUrl: 'https://api.example/wallet',
  cardBaseUrl: 'https://card.example/',
};
const US: ProviderAccount = {
  environment: environmentOf(LIVE),
  sender: '7001',
  gateway: gatewayOf(LIVE),
};
const WHICH = { kind: 'all', cause: 'environment' } as const;
let merchant: TestMerchant;
let web: Process;
let worker: Process;

beforeAll(async () => {
  const product = await openProduct();
  ({ merchant, web, worker } = product);
  // The database of a new installation is not bound to an account yet.
  await merchant.owner.query('DELETE FROM installations WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  return product.close;
});

/** Runs one step of a worker with this `identity`; returns what it sent. */
async function step(identity: OwnIdentity): Promise<string[]> {
  const [id] = (await readyMovements(merchant, 1)) as [string];
  const provider = fakeProvider();
  await worker.advance.advanceOne({
    ...fakePorts(merchant.merchantId, provider),
    identity: () => identity,
  });
  await merchant.owner.query(`UPDATE movements SET next_at = NULL WHERE merchant_id = $1`, [
    merchant.merchantId,
  ]);
  expect(provider.asked.length === 1 || (await rowOf(merchant, id)).state === 'APPROVED').toBe(
    true,
  );
  return provider.asked.map((one) => one.kind);
}

async function beat(name: string, identity: ProviderAccount): Promise<void> {
  await worker.keepIdentity.compareIdentity(merchant.merchantId, identity);
  await merchant.owner.query(
    `INSERT INTO worker_heartbeats (merchant_id, worker, at, provider)
      VALUES ($1, $2, clock_timestamp(), $3) ON CONFLICT (merchant_id, worker) DO UPDATE
      SET at = excluded.at, provider = excluded.provider`,
    [merchant.merchantId, name, JSON.stringify(identity)],
  );
}

/** The difference between two accounts, as the audit entry names it. */
function differenceFrom(other: ProviderAccount): string {
  const part = (['environment', 'gateway', 'sender'] as const).find(
    (one) => US[one] !== other[one],
  )!;
  return `${part}: ${US[part]} → ${other[part]}`;
}

const stops = async () =>
  (await web.sending.viewSending(merchant.person('owner'))).stops.map((stop) => stop.cause);

describe('what this database is about', () => {
  it('is what its first worker was; before that worker knows whose account it is, nothing is sent', async () => {
    const nobodyYet = { ...US, sender: null };
    expect(await step(nobodyYet)).toEqual([]);
    await beat('one', US);
    expect(await step(US)).toEqual(['send']);
    expect(await stops()).toEqual([]);
    expect(
      await step({ ...US, environment: 'https://staging.example', sender: null }),
      'another environment is not even claimed for',
    ).toEqual([]);
  });

  it.each<[string, ProviderAccount]>([
    [
      'a staging copy that speaks to other addresses',
      {
        ...US,
        environment: environmentOf({ ...LIVE, walletApiUrl: 'https://staging.example/wallet' }),
      },
    ],
    ['the same addresses with the credentials of another account', { ...US, sender: '7002' }],
    ['the simulator', { ...US, environment: environmentOf({ ...LIVE, sandboxOn: true }) }],
    [
      'the same wallet service with another card gateway',
      { ...US, gateway: gatewayOf({ ...LIVE, cardBaseUrl: 'https://test-gateway.example' }) },
    ],
  ])(
    '%s: its claim is refused before it was even compared, then sending is off for all and audited',
    async (_what, other) => {
      expect(await step(other), 'the claim itself').toEqual([]);
      await beat('two', other);
      expect(await stops()).toEqual(['environment']);
      expect(await step(US), 'nobody sends until people have looked').toEqual([]);
      const { rows } = await merchant.owner.query(
        `SELECT body::jsonb #>> '{detail,cause}' AS cause,
          body::jsonb #>> '{detail,reason}' AS reason FROM audit_entries WHERE merchant_id = $1
          AND action = 'sending.stopped' ORDER BY seq DESC LIMIT 1`,
        [merchant.merchantId],
      );
      expect(rows).toEqual([{ cause: 'environment', reason: differenceFrom(other) }]);

      await web.release.requestResume(merchant.person('owner'), WHICH, 'the other one is off');
      await expect(
        web.release.confirmResume(merchant.person('approver'), WHICH),
        'while both are at work',
      ).rejects.toMatchObject({ code: 'workers_disagree' });
      await merchant.owner.query(
        `DELETE FROM worker_heartbeats WHERE merchant_id = $1 AND worker = 'two'`,
        [merchant.merchantId],
      );
      await web.release.confirmResume(merchant.person('approver'), WHICH);
      expect(await step(US)).toEqual(['send']);
      expect(await step(other), 'and still not the other one').toEqual([]);
    },
  );

  it('becomes another one when two people decide so while only that one is at work', async () => {
    const moved = {
      ...US,
      environment: environmentOf({ ...LIVE, walletApiUrl: 'https://new.example/wallet' }),
    };
    await merchant.owner.query(`DELETE FROM worker_heartbeats WHERE merchant_id = $1`, [
      merchant.merchantId,
    ]);
    await beat('one', moved);
    await web.release.requestResume(merchant.person('owner'), WHICH, 'the provider moved');
    await web.release.confirmResume(merchant.person('approver'), WHICH);
    expect([await step(moved), await step(US)]).toEqual([['send'], []]);
  });

  it('gets the card gateway’s address from the first worker of an upgrade, and stops nothing', async () => {
    const {
      rows: [held],
    } = await merchant.owner.query<ProviderAccount>(
      'SELECT environment, sender, gateway FROM installations WHERE merchant_id = $1',
      [merchant.merchantId],
    );
    await merchant.owner.query('UPDATE installations SET gateway = NULL WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    await worker.keepIdentity.compareIdentity(merchant.merchantId, { ...held!, sender: null });
    const {
      rows: [after],
    } = await merchant.owner.query<ProviderAccount>(
      'SELECT environment, sender, gateway FROM installations WHERE merchant_id = $1',
      [merchant.merchantId],
    );
    expect([after, await stops()]).toEqual([held, []]);
  });
});
