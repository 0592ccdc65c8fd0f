import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, adopt, aRule, openDesk, prepare } from '#lib/approvals/testing/desk.ts';
import type { Desk } from '#lib/approvals/testing/desk.ts';
import type * as Change from '#lib/people/change.ts';
import type * as SetLimit from '#lib/people/set-limit.ts';
import { rowOf } from './testing/stored.ts';

/** A movement is judged by the rules of its place in the audit log, whatever waits for what. */

let desk: Desk;
let people: typeof Change & typeof SetLimit;
beforeAll(async () => {
  desk = await openDesk(async () => {
    people = {
      ...(await import('#lib/people/change.ts')),
      ...(await import('#lib/people/set-limit.ts')),
    };
  });
  // The first call is slow; a lock is waited for only two seconds.
  await prepare(desk, { amountMinor: 1n });
});
afterAll(() => desk.close());

const person = (role: 'clerk' | 'approver' | 'owner') => desk.merchant.person(role);
const stateOf = async (id: string) => (await rowOf(desk.merchant, id)).state;

/** Resolves once so many sessions of this database wait for a lock. */
async function waiting(count: number): Promise<void> {
  for (;;) {
    const { rows } = await desk.merchant.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    if (rows[0]!.n >= count) return;
    await pause(5);
  }
}

/**
 * Both while another writer holds the audit chain, the change first: it has been made, and waits to
 * be written down and committed.
 */
async function duringChange<T>(change: () => Promise<unknown>, act: () => Promise<T>): Promise<T> {
  const holder = await desk.merchant.owner.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM audit_heads WHERE merchant_id = $1 FOR UPDATE', [
      desk.merchant.merchantId,
    ]);
    const changed = change();
    await waiting(1);
    const acted = act();
    await Promise.race([waiting(2), acted.catch(() => undefined)]);
    await holder.query('COMMIT');
    await changed;
    return await acted;
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

describe('what is judged while the rules change', () => {
  it('is judged by the policy that is written down before it', async () => {
    const rules = [aRule({ fromMinor: 1_000n })];
    await desk.propose.proposePolicy(person('owner'), { rules, stepUp: null, reason: 'stricter' });
    const open = await desk.web.db.inTransaction(desk.merchant.merchantId, (tx) =>
      desk.proposals.openProposal(tx),
    );
    const id = await duringChange(
      () => desk.confirm.confirmPolicy(person('approver'), open!.id),
      () => prepare(desk, { amountMinor: 1_000n }),
    );
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
    await adopt(desk, []);
  });

  it('was judged by a policy that is not dated before the submissions it had to wait for', async () => {
    const { merchantId, owner } = desk.merchant;
    const rules = [aRule({ fromMinor: 2_000n })];
    await desk.propose.proposePolicy(person('owner'), { rules, stepUp: null, reason: 'stricter' });
    const open = await desk.web.db.inTransaction(merchantId, (tx) =>
      desk.proposals.openProposal(tx),
    );
    const submission = await owner.connect();
    await submission.query('BEGIN');
    await submission.query('SELECT FROM merchants WHERE id = $1 FOR SHARE', [merchantId]);
    const confirmed = desk.confirm.confirmPolicy(person('approver'), open!.id);
    await waiting(1);
    const { rows: judged } = await submission.query<{ at: string }>(
      'SELECT clock_timestamp()::text AS at',
    );
    await submission.query('COMMIT');
    submission.release();
    await confirmed;
    const { rows: dated } = await owner.query<{ later: boolean }>(
      `SELECT valid_from > $1 AS later FROM policy_versions WHERE merchant_id = $2
        ORDER BY version DESC LIMIT 1`,
      [judged[0]!.at, merchantId],
    );
    expect(dated[0]!.later).toBe(true);
    await adopt(desk, []);
  });

  it('is judged by the limit that is written down before it', async () => {
    const limit = { currency: 'TRY', singleMinor: 1_000n, dayMinor: null };
    const id = await duringChange(
      () => people.setPersonLimit(person('owner'), person('clerk').personId, limit, 'narrower'),
      () => prepare(desk, { amountMinor: 1_001n }),
    );
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
  });

  it('is not approved by somebody who is disabled before it is written down', async () => {
    await adopt(desk, [aRule()]);
    const approver = await addPerson(desk, 'approver');
    const id = await prepare(desk);
    const seen = { id, seenHash: (await rowOf(desk.merchant, id)).content_hash as string };
    const approved = duringChange(
      () =>
        people.changePerson(person('owner'), approver.personId, { kind: 'disable' }, 'has left'),
      () => desk.approve.approveMovement(approver, seen),
    );
    await expect(approved).rejects.toMatchObject({ code: 'MV052' });
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
  });
});

it('a submission that waits for another one is dated when it is judged: no midnight is between', async () => {
  const holder = await desk.merchant.owner.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    desk.merchant.merchantId,
  ]);
  const prepared = prepare(desk, { amountMinor: 100n });
  await waiting(1);
  const { rows } = await holder.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  await holder.query('COMMIT');
  holder.release();
  const { created_at: at } = await rowOf(desk.merchant, await prepared);
  expect((at as Date).getTime()).toBeGreaterThanOrEqual(rows[0]!.now.getTime());
});
