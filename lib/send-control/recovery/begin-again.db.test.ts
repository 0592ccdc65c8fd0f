import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readyMovements } from '#lib/movements/testing/stored.ts';
import { linkAudit, openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Begin from './begin.ts';
import type * as Confirmed from '#lib/begin-check/confirmed.ts';
import type * as Ready from './ready.ts';

let merchant: TestMerchant;
let web: Process;
let begin: typeof Begin;
let confirmed: typeof Confirmed;
let ready: typeof Ready;
const tx = <T>(work: (t: never) => Promise<T>): Promise<T> =>
  web.db.inTransaction(merchant.merchantId, work as never) as Promise<T>;
beforeAll(async () => {
  const product = await openProduct();
  ({ merchant, web } = product);
  begin = await import('./begin.ts');
  confirmed = await import('#lib/begin-check/confirmed.ts');
  ready = await import('./ready.ts');
  return product.close;
});
beforeEach(async () => {
  await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  await unguarded('send_switches', 'UPDATE send_switches SET off = false WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
});
/** Writes a row as the database's owner, without the guards of the product's roles. */
async function unguarded(table: string, statement: string, values: unknown[]): Promise<void> {
  const client = await merchant.owner.connect();
  await client.query('BEGIN');
  await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await client.query(statement, values);
  await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  await client.query('COMMIT');
  client.release();
}
const again = () =>
  tx((t) =>
    begin.beginRecovery(
      t,
      { kind: 'worker', merchantId: merchant.merchantId },
      'behind',
      '',
      1_000,
    ),
  );

describe('a backup that was made while a recovery was open', () => {
  it('is its own recovery: rows prepared since the first one wait too, and its reading proves nothing', async () => {
    await again();
    const [id] = (await readyMovements(merchant, 1)) as [string];
    // The recovery as the backup holds it: scanned, without an unacknowledged record. Sending was
    // resumed after the backup, and the sends since then are missing from it.
    await merchant.owner.query(
      `UPDATE recoveries SET listed_by = clock_timestamp() - interval '1 minute',
        scanned_at = clock_timestamp() WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    await again();
    expect
      .soft(await tx((t) => confirmed.isMovementConfirmed(t, id)), 'may leave without a word')
      .toBe(false);
    const ends = await tx((t) => ready.recoveryMayEnd(t)).then(
      () => 'may end',
      (e: { code: string }) => e.code,
    );
    expect.soft(ends).toBe('recovery_not_read');
  });
  it('holds a comparison with our own journal that rules out no send of the time after it', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await again();
    await merchant.owner.query(
      `UPDATE recoveries SET scanned_at = clock_timestamp(),
        journal = '{"files": 1, "lines": 3, "unreadable": 0, "missing": 0}' WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    expect(await tx((t) => confirmed.isSendUncompared(t, id))).toBe(false);
    await again();
    expect(await tx((t) => confirmed.isSendUncompared(t, id))).toBe(true);
  });
  it('is searched from where the first recovery began to search, or earlier', async () => {
    const searchedFrom = async (): Promise<Date> =>
      (
        await merchant.owner.query<{ scan_from: Date }>(
          'SELECT scan_from FROM recoveries WHERE merchant_id = $1 AND ended_at IS NULL',
          [merchant.merchantId],
        )
      ).rows[0]!.scan_from;
    await again();
    await merchant.owner.query(
      `UPDATE recoveries SET scan_from = scan_from - interval '3 days' WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    const first = await searchedFrom();
    await linkAudit(merchant);
    await again();
    expect(await searchedFrom()).toEqual(first);
  });
  it('holds a "send it" that allows nothing any more', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await again();
    await web.confirmSend.confirmSend(merchant.person('approver'), id);
    await again();
    expect(await tx((t) => confirmed.isMovementConfirmed(t, id))).toBe(false);
  });
  it('holds a word to resume sending that counts no more', async () => {
    await again();
    await merchant.owner.query(
      `UPDATE recoveries SET listed_by = clock_timestamp() - interval '1 minute',
        scanned_at = clock_timestamp() WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    await web.release.requestResume(
      merchant.person('owner'),
      { kind: 'all', cause: 'recovery' },
      'everything is known',
    );
    await again();
    const done = await web.release
      .confirmResume(merchant.person('approver'), { kind: 'all', cause: 'recovery' })
      .then(
        () => 'released',
        (e: { code: string }) => e.code,
      );
    expect(done).not.toBe('released');
  });
});

it('a word to resume sending is checked again: a record that was found since keeps it stopped', async () => {
  await again();
  await merchant.owner.query(
    `UPDATE recoveries SET listed_by = clock_timestamp() - interval '1 minute',
      scanned_at = clock_timestamp() WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  const which = { kind: 'all', cause: 'recovery' } as const;
  await web.release.requestResume(merchant.person('owner'), which, 'everything is known');
  await merchant.owner.query(
    `INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference, ext_id,
      level, amount_minor, currency, made_at, kind)
      SELECT merchant_id, id, 'foreign', 'journal', 'payout:LATE', 'LATE', 'unknown', 12345, 'TRY',
      now(), 'payout' FROM recoveries WHERE merchant_id = $1 AND ended_at IS NULL`,
    [merchant.merchantId],
  );
  await expect(web.release.confirmResume(merchant.person('approver'), which)).rejects.toMatchObject(
    { code: 'recovery_unseen' },
  );
  await merchant.owner.query('DELETE FROM recovered_records WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
});

describe('on a machine whose clock is behind', () => {
  it('every row of the backup is older than the recovery', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await unguarded(
      'movements',
      `UPDATE movements SET created_at = clock_timestamp() + interval '10 minutes' WHERE id = $1`,
      [id],
    );
    await again();
    expect(await tx((t) => confirmed.isMovementConfirmed(t, id))).toBe(false);
  });
});
