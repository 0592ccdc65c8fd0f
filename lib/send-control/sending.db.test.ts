import { setTimeout as pause } from 'node:timers/promises';
import { raw } from '@prisma/client-runtime-utils';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { readyMovements, rowOf } from '#lib/movements/testing/stored.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { aged } from '#lib/second-person/testing/aged.ts';
import { STOPPABLE_KINDS } from './stops.ts';

/**
 * The kill switch: one person stops sending, two people resume it, and the transaction of each
 * claim obeys it.
 */

const LANES = 4;
const ALL = { kind: 'all', cause: 'person' } as const;
let merchant: TestMerchant;
let web: Process;
let workers: Process[];

beforeAll(async () => {
  const product = await openProduct(2);
  ({ merchant, web, workers } = product);
  return product.close;
});
beforeEach(async () => {
  await merchant.owner.query(`UPDATE movements SET next_at = NULL WHERE merchant_id = $1`, [
    merchant.merchantId,
  ]);
});
afterEach(async () => {
  for (const kind of STOPPABLE_KINDS) {
    await web.release
      .requestResume(merchant.person('approver'), { kind, cause: 'person' }, 'after the test')
      .catch(() => undefined);
    await web.release
      .confirmResume(merchant.person('owner'), { kind, cause: 'person' })
      .catch(() => undefined);
  }
});

const stop = (kind: 'all' | 'payout' = 'all') =>
  web.stop.stopSending(merchant.person('approver'), kind, 'a bad file');
const stops = async () => (await web.sending.viewSending(merchant.person('auditor'))).stops;

describe('the kill switch', () => {
  it('stops a batch of 400 except what is in flight, loses nothing, and the rest leaves after release', async () => {
    const ids = await readyMovements(merchant, 400);
    const provider = fakeProvider({
      send: async () => {
        await pause(5);
        return { kind: 'unclear', why: 'timeout', raw: null, code: null, message: null };
      },
    });
    const ports = fakePorts(merchant.merchantId, provider);
    const sends = () => provider.asked.filter((one) => one.kind === 'send');
    const over = new AbortController();
    const lane = async (worker: Process): Promise<void> => {
      while (!over.signal.aborted)
        if ((await worker.advance.advanceOne(ports)).kind !== 'moved') await pause(10);
    };
    const lanes = workers.flatMap((worker) => Array.from({ length: LANES }, () => lane(worker)));
    while (sends().length < 60) await pause(2);
    await stop();
    const atStop = sends().length;
    // Waits until every row that may not be sent was claimed and deferred: after that no send can
    // follow.
    while (
      Number(
        (
          await merchant.owner.query(
            `SELECT count(*) FROM movements WHERE id = ANY($1) AND state = 'APPROVED' AND next_at <= now()`,
            [ids],
          )
        ).rows[0].count,
      ) > 0
    )
      await pause(20);
    expect(atStop).toBeLessThan(ids.length / 2);
    expect(sends().length - atStop).toBeLessThanOrEqual(lanes.length);
    const held = sends().length;
    expect(
      Number(
        (
          await merchant.owner.query(
            `SELECT count(*) FROM movements WHERE id = ANY($1) AND state = 'APPROVED'`,
            [ids],
          )
        ).rows[0].count,
      ),
    ).toBe(ids.length - held);

    await web.release.requestResume(merchant.person('approver'), ALL, 'the file was right');
    await web.release.confirmResume(merchant.person('owner'), ALL);
    while (sends().length < ids.length) await pause(20);
    over.abort();
    await Promise.all(lanes);
    expect(new Set(sends().map((one) => one.id)).size).toBe(ids.length);
    expect(sends()).toHaveLength(ids.length);
  }, 120_000);

  it('is thrown by one approver or owner at once, with a reason, and by nobody else', async () => {
    for (const role of ['clerk', 'support', 'auditor'] as const)
      await expect(
        web.stop.stopSending(merchant.person(role), 'all', 'a bad file'),
        role,
      ).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(
      web.stop.stopSending(merchant.person('owner'), 'all', '  so '),
    ).rejects.toMatchObject({ code: 'stop_reason_needed' });
    await web.stop.stopSending(merchant.person('owner'), 'payout', 'a bad file');
    expect(await stops()).toMatchObject([
      { kind: 'payout', cause: 'person', reason: 'a bad file', by: 'owner@test', release: null },
    ]);
    await expect(stop('payout')).rejects.toMatchObject({ code: 'already_stopped' });
  });

  it('goes on only when one person asked and another one confirmed', async () => {
    await stop();
    const [approver, owner] = [merchant.person('approver'), merchant.person('owner')];
    await expect(web.release.confirmResume(owner, ALL)).rejects.toMatchObject({
      code: 'release_not_asked',
    });
    await web.release.requestResume(approver, ALL, 'the file was right');
    await expect(web.release.confirmResume(approver, ALL)).rejects.toMatchObject({
      code: 'second_person_needed',
    });
    await expect(web.release.confirmResume(merchant.person('clerk'), ALL)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    expect(await stops()).toHaveLength(1);
    await web.release.confirmResume(owner, ALL);
    expect(await stops()).toHaveLength(0);
    const { rows } = await merchant.owner.query(
      `SELECT e.action, p.value AS reason FROM audit_entries e
        JOIN audit_personal p USING (merchant_id, seq) WHERE e.merchant_id = $1
        AND e.subject = 'sending:all' AND p.field = 'reason' ORDER BY seq DESC LIMIT 3`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([
      { action: 'sending.released', reason: 'the file was right' },
      { action: 'sending.release_asked', reason: 'the file was right' },
      { action: 'sending.stopped', reason: 'a bad file' },
    ]);
  });

  it('stopped by the system needs an owner among the two', async () => {
    const which = { kind: 'all', cause: 'audit' } as const;
    await merchant.owner.query(
      `INSERT INTO people (merchant_id, email, name, role)
        VALUES ($1, 'second@test', 'Second', 'approver') ON CONFLICT DO NOTHING`,
      [merchant.merchantId],
    );
    const { rows } = await merchant.owner.query(
      `SELECT id FROM people WHERE merchant_id = $1 AND email = 'second@test'`,
      [merchant.merchantId],
    );
    await workers[0]!.db.inTransaction(
      merchant.merchantId,
      (tx) =>
        tx.$executeRaw`INSERT INTO send_switches (merchant_id, kind, cause, off)
          VALUES (${merchant.merchantId}::uuid, 'all', 'audit', true)`,
    );
    await web.release.requestResume(merchant.person('approver'), which, 'all is well');
    await expect(
      web.release.confirmResume({ ...merchant.person('approver'), personId: rows[0].id }, which),
    ).rejects.toMatchObject({ code: 'owner_needed' });
    await web.release.confirmResume(merchant.person('owner'), which);
  });

  it('keeps sending stopped when the release request is withdrawn, expired or older than a new stop', async () => {
    const [approver, owner] = [merchant.person('approver'), merchant.person('owner')];
    const refused = (): Promise<void> =>
      expect(web.release.confirmResume(owner, ALL)).rejects.toMatchObject({
        code: 'release_not_asked',
      });
    await stop();
    await web.release.requestResume(approver, ALL, 'the file was right');
    await web.release.withdrawResume(approver, ALL, 'it was not');
    expect(await stops()).toMatchObject([{ release: null }]);
    await refused();
    await web.release.requestResume(approver, ALL, 'the file was right');
    await aged(merchant, 25);
    expect(await stops()).toMatchObject([{ release: null }]);
    await refused();
    await web.release.requestResume(approver, ALL, 'the file was right');
    await merchant.owner.query(
      'UPDATE send_switches SET changed_at = clock_timestamp() WHERE merchant_id = $1 AND off',
      [merchant.merchantId],
    );
    await refused();
  });

  it('goes on once when two people confirm at the same time', async () => {
    await stop();
    await merchant.owner.query(
      `INSERT INTO people (merchant_id, email, name, role)
        VALUES ($1, 'third@test', 'Third', 'approver') ON CONFLICT DO NOTHING`,
      [merchant.merchantId],
    );
    const {
      rows: [third],
    } = await merchant.owner.query(
      `SELECT id FROM people WHERE merchant_id = $1 AND email = 'third@test'`,
      [merchant.merchantId],
    );
    await web.release.requestResume(merchant.person('approver'), ALL, 'the file was right');
    const both = await Promise.allSettled(
      [merchant.person('owner'), { ...merchant.person('approver'), personId: third.id }].map(
        (one) => web.release.confirmResume(one, ALL),
      ),
    );
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')).toMatchObject({
      reason: { code: 'not_stopped' },
    });
  });

  it('is defended by the database: one person, the worker or a deleted row cannot release it', async () => {
    await stop();
    const [approver, clerk, owner] = [
      merchant.person('approver').personId,
      merchant.person('clerk').personId,
      merchant.person('owner').personId,
    ];
    const as = (side: Process, statement: string) =>
      side.db.inTransaction(merchant.merchantId, (tx) => tx.$executeRaw(raw(statement)));
    const release = (by: string, more = '') =>
      `UPDATE send_switches SET off = false, released_by = '${by}'${more}`;
    await expect(as(web, release(owner)), 'nobody asked').rejects.toThrow(/two people/);
    await web.release.requestResume(merchant.person('approver'), ALL, 'the file was right');
    await expect(as(web, release(approver)), 'the same person').rejects.toThrow(/two people/);
    await expect(as(web, release(clerk)), 'a clerk').rejects.toThrow(/two people/);
    await expect(
      as(
        web,
        `UPDATE second_person_requests SET closed_at = now(), outcome = 'resume' WHERE closed_at IS NULL`,
      ),
      'closed on one word',
    ).rejects.toThrow(/two people agree/);
    await expect(
      as(
        web,
        `INSERT INTO second_person_words (merchant_id, request_id, person_id, claim, reason, evidence)
      SELECT merchant_id, id, '${clerk}', 'resume', 'by hand', '{}' FROM second_person_requests
        WHERE closed_at IS NULL`,
      ),
    ).resolves.toBe(1);
    await expect(as(web, release(clerk)), 'agreed, but not in this transaction').rejects.toThrow(
      /two people/,
    );
    await expect(as(web, 'UPDATE second_person_words SET claim = NULL')).rejects.toThrow(
      /permission denied/,
    );
    await expect(as(workers[0]!, release(owner)), 'the worker').rejects.toThrow(/two people/);
    await expect(as(web, 'DELETE FROM send_switches')).rejects.toThrow(/permission denied/);
    await expect(
      merchant.owner.query('DELETE FROM send_switches WHERE merchant_id = $1', [
        merchant.merchantId,
      ]),
    ).rejects.toThrow(/never deleted/);
    expect(await stops()).toHaveLength(1);
  });

  it('says on the payout why it waits, and nothing about one that does not', async () => {
    const [id] = (await readyMovements(merchant, 1, { dueInMs: 3_600_000 })) as [string];
    const { viewMovement } = await import('#lib/movement-views/view.ts');
    expect((await viewMovement(merchant.person('clerk'), id))?.stop).toBeNull();
    await stop('payout');
    expect((await viewMovement(merchant.person('clerk'), id))?.stop).toMatchObject({
      cause: 'person',
      by: 'approver@test',
      reason: 'a bad file',
    });
    expect((await rowOf(merchant, id)).state).toBe('APPROVED');
  });
});
