import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Begin from './begin.ts';
import type * as Ready from './ready.ts';
import type * as Scan from './scan.ts';

/** Which recovery a reading counts for, and whether it was made late enough to count. */

let merchant: TestMerchant;
let web: Process;
let begin: typeof Begin;
let scan: typeof Scan;
let ready: typeof Ready;

beforeAll(async () => {
  const product = await openProduct(1);
  ({ merchant, web } = product);
  begin = await import('./begin.ts');
  scan = await import('./scan.ts');
  ready = await import('./ready.ts');
  return product.close;
});

const nothing = { kind: 'answered' as const, value: { rows: [], pageCount: 1, total: 0 } };
const read = (meanwhile: () => Promise<unknown> = async () => undefined) =>
  scan.scanProvider(
    fakePorts(merchant.merchantId, fakeProvider()),
    {
      listWithdrawals: async () => nothing as never,
      listTransactions: async () => {
        await meanwhile();
        return nothing as never;
      },
    },
    join(tmpdir(), 'no-journal-here'),
  );

it('a reading that begins before all has to be listed proves nothing, however late it ends', async () => {
  await merchant.owner.query(
    `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by)
      VALUES ($1, 'asked', clock_timestamp(), now() - interval '1 day',
        clock_timestamp() + interval '5 seconds')`,
    [merchant.merchantId],
  );
  /** Lasts until everything has to be listed. */
  const allIsListed = () =>
    merchant.owner.query(
      `SELECT pg_sleep(0.1 + greatest(0, extract(epoch FROM listed_by - clock_timestamp())))
        FROM recoveries WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
  const mayEnd = () =>
    web.db
      .inTransaction(merchant.merchantId, (tx) => ready.recoveryMayEnd(tx as never))
      .then(
        () => 'may end',
        (error: { code?: string }) => error.code,
      );
  await read(allIsListed);
  expect(await mayEnd()).toBe('recovery_not_read');
  await read();
  expect(await mayEnd()).toBe('may end');
});

it('a scan of a recovery that was begun again meanwhile leaves no comparison with the journal', async () => {
  const again = () =>
    web.db.inTransaction(merchant.merchantId, (tx) =>
      begin.beginRecovery(
        tx as never,
        { kind: 'worker', merchantId: merchant.merchantId },
        'behind',
        '',
        1_000,
      ),
    );
  const journal = async () =>
    (
      await merchant.owner.query<{ journal: unknown }>(
        'SELECT journal FROM recoveries WHERE merchant_id = $1 AND ended_at IS NULL',
        [merchant.merchantId],
      )
    ).rows[0]!.journal;
  await again();
  await read(again);
  expect(await journal()).toBeNull();
  await read();
  expect(await journal()).not.toBeNull();
});
