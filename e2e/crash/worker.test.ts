import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rows } from '../database.ts';
import { processes } from '../processes.ts';
import { sandbox } from '../sandbox.ts';
import { DATA_DIR } from '../surroundings.ts';
import { hasten, lapse, stored } from './books.ts';
import { freeCommits, heldCommit, heldTrail, transaction, type Obstacle } from './obstacle.ts';
import { payment, type Payment } from './plan.ts';
import { databaseAnswers, until, up } from './trouble.ts';
import { signIn, submit, type Visitor } from './web.ts';

/**
 * A worker dies or stops at one exact moment: when the provider or the database has received
 * something from it.
 */

const SEND = 'SendMoneyToBankAccount';
/** A delay longer than any of these tests: the response never arrives. */
const NEVER_MS = 600_000;
/** A delay long enough for the test to interfere before the response, even on a busy machine. */
const SHORTLY_MS = 8_000;

let visitor: Visitor;
beforeAll(async () => {
  visitor = await signIn('mehmet@demo.test');
  await processes.stop('worker-2');
});
beforeEach(() => sandbox.calm());
afterEach(async () => {
  await sandbox.calm();
  await databaseAnswers();
  await freeCommits();
  await up('worker');
});
afterAll(() => up('worker-2'));

describe('a worker that is killed', () => {
  test('before its claim is committed: nothing has left, and another one sends it once', async () => {
    const { one, commit } = await heldAtItsCommit();
    await slay();
    await commit.cutOff();
    await commit.rollBack();
    expect(await stored(one.id)).toMatchObject({
      state: 'APPROVED',
      sends: 0,
      attempts: 0,
      leased: false,
    });
    expect(await sandbox.sendsTo(one.payee.iban)).toEqual([]);
    await processes.start('worker');
    await paidOnce(one, { sends: 1, requests: 1 });
  });

  test('after its claim and before connecting: it is unknown, and the same reference leaves later', async () => {
    const { one, commit } = await heldAtItsCommit();
    // After the commit the worker first links the claim's audit entry and writes its checkpoint.
    const trail = await heldTrail(commit);
    await until('linking is held up', () => trail.holdsUp('audit_link'));
    await slay();
    await trail.cutOff();
    await trail.rollBack();
    expect(await stored(one.id)).toMatchObject({
      state: 'SUBMITTING',
      sends: 1,
      attempts: 1,
      leased: true,
    });
    expect(await sandbox.sendsTo(one.payee.iban)).toEqual([]);
    expect(await claimEntry(one.id), 'the worker died before it linked').toBe('queued');
    await lapse(one.id);
    await processes.start('worker');
    const { evidence } = await paidOnce(one, { sends: 2, requests: 1 });
    expect(await claimEntry(one.id)).toBe('linked');
    expect(evidence.filter((word) => word === 'lease_expired')).toHaveLength(1);
    expect(evidence.filter((word) => word === 'read not_found').length).toBeGreaterThanOrEqual(3);
  });

  test('after the request, before the answer: a look finds what was done, and nothing is sent again', async () => {
    const one = await queue({ fault: NEVER_MS });
    await arrived(one);
    await slay();
    expect(await stored(one.id)).toMatchObject({ state: 'SUBMITTING', sends: 1, leased: true });
    await lapse(one.id);
    await processes.start('worker');
    expect((await paidOnce(one, { sends: 1, requests: 1 })).evidence).toContain('lease_expired');
  });

  test('after the answer, before it is stored: a look finds what was done, nothing is resent', async () => {
    await sandbox.bankMode('manual');
    const one = await queue({ fault: SHORTLY_MS });
    await arrived(one);
    const other = await transaction('SELECT FROM movements WHERE id = $1 FOR UPDATE', [one.id]);
    await until('the answer is held up', () => other.holdsUp('held AS'));
    await slay();
    await other.rollBack();
    expect(await stored(one.id)).toMatchObject({ state: 'SUBMITTING', sends: 1 });
    await sandbox.calm();
    await lapse(one.id);
    await processes.start('worker');
    const { evidence } = await paidOnce(one, { sends: 1, requests: 1 });
    expect(evidence).toContain('lease_expired');
    expect(evidence.some((word) => word.includes('answer'))).toBe(false);
  });

  test('while it tries to write down the answer and the database is away: a look finds what was done', async () => {
    const one = await queue({ fault: SHORTLY_MS });
    await arrived(one);
    await processes.stop('postgres');
    await until('the answer cannot be written down', () => isLogged(one));
    await slay();
    await processes.start('postgres');
    await databaseAnswers();
    await lapse(one.id);
    await processes.start('worker');
    expect((await paidOnce(one, { sends: 1, requests: 1 })).evidence).toContain('lease_expired');
  });
});

test('an answer that finds the database away is kept until it is written down', async () => {
  const one = await queue({ fault: SHORTLY_MS });
  await arrived(one);
  await processes.stop('postgres');
  await until('the answer cannot be written down', () => isLogged(one));
  await processes.start('postgres');
  const { evidence } = await paidOnce(one, { sends: 1, requests: 1 });
  expect(evidence).toContain('answer accepted');
  expect(evidence).not.toContain('lease_expired');
});

test('a worker that outsleeps its lease is replaced, its answer is stored late, and it pays once', async () => {
  const one = await queue({ fault: SHORTLY_MS });
  await arrived(one);
  await processes.freeze('worker');
  await lapse(one.id);
  await processes.start('worker-2');
  await until('the other one has found out', async () => {
    await hasten(one.id);
    return (await stored(one.id)).state === 'COMPLETED';
  });
  await processes.thaw('worker');
  await until('the late answer is written down', async () =>
    (await stored(one.id)).evidence.includes('late answer accepted'),
  );
  await processes.stop('worker-2');
  await paidOnce(one, { sends: 1, requests: 1 });
});

/**
 * Submits a payout that is ready to be sent. `fault`: the provider executes its request at once,
 * and answers that many milliseconds later.
 */
async function queue({ fault }: { fault?: number } = {}): Promise<Payment> {
  const one = payment();
  if (fault !== undefined) await sandbox.fault({ operation: SEND, kind: 'delay', ms: fault });
  await submit(visitor, one, Math.random, AbortSignal.timeout(NEVER_MS));
  return one;
}

/**
 * Starts a worker that is blocked in the commit of its claim, after it has done everything before
 * it.
 */
async function heldAtItsCommit(): Promise<{ one: Payment; commit: Obstacle }> {
  await processes.stop('worker');
  const one = await queue();
  const commit = await heldCommit();
  await processes.start('worker');
  await until('the commit is held up', () => commit.holdsUp('COMMIT'));
  return { one, commit };
}

/** Where the audit entry of the payout's first claim is. */
async function claimEntry(id: string): Promise<'queued' | 'linked' | undefined> {
  const [entry] = await rows<{ place: 'queued' | 'linked' }>(
    `SELECT place FROM (SELECT 'linked' AS place, subject, action FROM audit_entries
      UNION ALL SELECT 'queued', subject, action FROM audit_queue) entry
      WHERE subject = $1 AND action = 'movement.claimed'`,
    [`movement:${id}`],
  );
  return entry?.place;
}

async function arrived({ payee }: Payment): Promise<void> {
  await until(
    'the provider has the request',
    async () => (await sandbox.sendsTo(payee.iban)).length === 1,
  );
}

/** Waits until the payout is completed, and requires that it was paid once. Returns its row. */
async function paidOnce(
  { id, payee, amountMinor }: Payment,
  counts: { sends: number; requests: number },
): Promise<Awaited<ReturnType<typeof stored>>> {
  await databaseAnswers();
  await until('it is completed', async () => {
    await hasten(id);
    return (await stored(id)).state === 'COMPLETED';
  });
  const row = await stored(id);
  const requests = await sandbox.sendsTo(payee.iban);
  expect({ sends: row.sends, attempts: row.attempts, requests: requests.length }).toEqual({
    ...counts,
    attempts: counts.sends,
  });
  expect((await sandbox.paidTo(payee.iban)).map((line) => [line.amount, line.state])).toEqual([
    [(amountMinor / 100).toFixed(2), 'live'],
  ]);
  return row;
}

/** Kills the worker and keeps the supervisor from restarting it. */
async function slay(): Promise<void> {
  await processes.kill('worker');
  await processes.stop('worker');
}

/** Whether the worker logged that it could not store the response for this payout. */
function isLogged({ id }: Payment): boolean {
  return readFileSync(join(DATA_DIR, 'logs', 'worker.log'), 'utf8')
    .split('\n')
    .some((line) => line.includes(id) && line.includes('not recorded yet'));
}
