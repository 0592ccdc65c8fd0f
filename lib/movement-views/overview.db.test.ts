import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { rowOf, storedMovement } from '#lib/movements/testing/stored.ts';
import type * as Overview from './overview.ts';

/** The order of the movements on the home page. */

const DAY_MS = 24 * 60 * 60_000;

let merchant: TestMerchant;
let web: Process;
let overview: typeof Overview;
const made: Record<string, string> = {};

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  overview = await import('./overview.ts');
  made.older = await storedMovement(merchant, 'UNKNOWN', {}, { amountMinor: 100n });
  made.flagged = await storedMovement(
    merchant,
    'UNKNOWN',
    { alert: 'unknown_too_long' },
    { amountMinor: 200n },
  );
  made.manual = await storedMovement(merchant, 'MANUAL_REVIEW');
  made.contradiction = await storedMovement(merchant, 'REJECTED', { alert: 'contradiction' });
  made.reported = await storedMovement(merchant, 'COMPLETED', { returned: 'REPORTED' });
  made.queued = await storedMovement(merchant, 'APPROVED', { not_sent_tries: 2 });
  made.pending = await storedMovement(merchant, 'PENDING');
  made.completed = await storedMovement(merchant, 'COMPLETED', {
    ended_at: new Date(),
    ledger_seen_at: new Date(),
    transaction_id: '9000000000000000009',
  });
  made.unlisted = await storedMovement(merchant, 'COMPLETED', { ended_at: new Date() });
  made.cancelled = await storedMovement(merchant, 'CANCELLED');
  await storedMovement(merchant, 'APPROVED', {}, { kind: 'transfer_person' });
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

describe('home', () => {
  it('puts what nobody knows into a bucket of its own, flagged or not, with its sum', async () => {
    const { unknown, needs } = await overview.overviewMovements(merchant.person('clerk'));
    expect(unknown.rows.map((row) => row.id)).toEqual([made.older, made.flagged]);
    expect(unknown.totals).toEqual([{ currency: 'TRY', count: 2, sum: '3.00' }]);
    expect(needs.rows.map((row) => row.id)).toEqual([
      made.manual,
      made.contradiction,
      made.reported,
    ]);
    expect(needs.lists).toEqual([{ list: 'payouts', count: 3 }]);
  });

  it('says how many wait because the provider cannot be reached, and lists the latest payouts', async () => {
    const { queued, recent } = await overview.overviewMovements(merchant.person('auditor'));
    expect(queued.lists).toEqual([{ list: 'payouts', count: 1 }]);
    expect(recent.map((row) => row.id)).toEqual([
      made.cancelled,
      made.unlisted,
      made.completed,
      made.pending,
      made.queued,
      made.reported,
      made.contradiction,
      made.manual,
    ]);
  });

  it('lists what was rejected or came back until somebody has seen it or paid it again', async () => {
    const other = await testMerchant();
    try {
      const { markOutcomeSeen } = await import('#lib/movements/outcome-seen.ts');
      const rejected = await storedMovement(other, 'REJECTED');
      const failed = await storedMovement(other, 'FAILED');
      const returned = await storedMovement(other, 'COMPLETED', {
        ended_at: new Date(),
        returned: 'CONFIRMED',
        returned_at: new Date(),
      });
      const paidAgain = await storedMovement(other, 'REJECTED');
      await storedMovement(other, 'PENDING', {}, { retryOf: paidAgain });
      await storedMovement(other, 'REJECTED', { state_since: new Date(Date.now() - 31 * DAY_MS) });
      await storedMovement(other, 'REJECTED', { alert: 'contradiction' });
      await storedMovement(other, 'CANCELLED');
      const listed = async (): Promise<string[]> =>
        (await overview.overviewMovements(other.person('support'))).outcomes.rows.map(
          ({ id }) => id,
        );
      expect(await listed()).toEqual([rejected, failed, returned]);
      await expect(markOutcomeSeen(other.person('auditor'), rejected)).rejects.toMatchObject({
        code: 'not_allowed',
      });
      await markOutcomeSeen(other.person('clerk'), rejected);
      await markOutcomeSeen(other.person('approver'), rejected);
      await markOutcomeSeen(other.person('clerk'), paidAgain);
      expect(await listed()).toEqual([failed, returned]);
      const { rows } = await other.owner.query(
        `SELECT subject FROM audit_entries WHERE merchant_id = $1
          AND action = 'movement.outcome_seen' ORDER BY seq`,
        [other.merchantId],
      );
      expect(rows).toEqual([
        { subject: `movement:${rejected}` },
        { subject: `movement:${paidAgain}` },
      ]);
    } finally {
      await other.close();
    }
  });

  it('names the payouts of a wallet that its ledger does not show yet', async () => {
    const rows = await overview.notYetInLedger(merchant.person('clerk'), '1000000001');
    expect(new Set(rows.map((row) => row.id))).toEqual(
      new Set([made.older, made.flagged, made.manual, made.pending, made.unlisted]),
    );
    expect(await overview.notYetInLedger(merchant.person('clerk'), '1000000002')).toEqual([]);
  });

  it("knows its own payouts by our reference and by the ledger's number, and nobody else's", async () => {
    const extId = (await rowOf(merchant, made.pending!)).ext_id as string;
    const asked = { extIds: [extId, 'NOBODYS'], transactionIds: ['9000000000000000009'] };
    const found = await overview.findOwnPayouts(merchant.person('clerk'), asked);
    expect([found.get(extId), found.get('9000000000000000009'), found.get('NOBODYS')]).toEqual([
      made.pending,
      made.completed,
      undefined,
    ]);
    const other = await testMerchant();
    try {
      expect((await overview.findOwnPayouts(other.person('clerk'), asked)).size).toBe(0);
      expect(await overview.overviewMovements(other.person('clerk'))).toMatchObject({
        unknown: { rows: [] },
        needs: { lists: [] },
        queued: { lists: [] },
        recent: [],
      });
    } finally {
      await other.close();
    }
  });
});
