import { setTimeout as pause } from 'node:timers/promises';
import { hurry } from '../crash/books.ts';
import { payment, SENDS, type Operation } from '../crash/plan.ts';
import { until } from '../crash/trouble.ts';
import { submit, type Visitor } from '../crash/web.ts';
import { rows } from '../database.ts';
import { sandbox } from '../sandbox.ts';
import { stoppedBy } from './books.ts';
import { cluster } from './control.ts';
import { seconds } from './kills.ts';
import { signInAt } from './load.ts';

/**
 * The asynchronous standby lacks commits and takes the place of the primary: payments that were
 * made are not in the new database, or wait there as if nothing had been sent.
 */

const BEFORE = 3;
/** Payouts that the standby knows as waiting, and that are sent when it is away. */
const WAITING = 2;
/** Payouts that the standby does not know at all. */
const UNKNOWN = 3;
const AFTER = 2;
const SOON_MS = 120_000;
const PROMOTED_MS = 90_000;
const READ_MS = 120_000;
/** Longer than any claim waits: whatever were to leave would have left. */
const BANK_MS = 300;
/** Longer than Patroni takes to report a standby's place. */
const FOLLOWED_MS = 3_000;
const WATCH_MS = 15_000;

/** Returns whether sending was stopped before anything left from the promoted database. */
export async function promoteAsync(): Promise<boolean> {
  await sandbox.calm();
  await sandbox.bankMode('auto', BANK_MS);
  const visitor = await signInAt('ayse@demo.test');
  const known = await prepare(visitor, BEFORE);
  await until('payouts are executed', () => areExecuted(known), SOON_MS);
  const waiting = await prepareUnsent(visitor);
  const [primary, sync, standby] = await Promise.all(
    (['leader', 'sync_standby', 'replica'] as const).map(cluster.server),
  );
  // Lets the standby receive what was committed by now.
  await pause(FOLLOWED_MS);
  await until('the standby follows', async () => (await lagOf(standby!)) === 0, SOON_MS);
  await cluster.hold(standby!);
  await sandbox.dropFaults(SENDS.payout);
  const forgotten = await prepare(visitor, UNKNOWN);
  await until('they are executed', () => areExecuted([...waiting, ...forgotten]), SOON_MS);
  await Promise.all([cluster.hold(primary!), cluster.hold(sync!)]);
  const lostAt = Date.now();
  const before = await sendCount();
  await cluster.resume(standby!);
  await until('the rule is off', () => isDone(cluster.synchronous('off')));
  await until('the standby is promoted', async () => isPrimary(standby!), PROMOTED_MS);
  const promotedAt = Date.now();
  await until('commits are acknowledged', commitsAreAcknowledged, SOON_MS);
  await until('sending is stopped', isStopped, SOON_MS);
  const stoppedAt = Date.now();
  const later = await prepare(visitor, AFTER);
  await pause(WATCH_MS);
  const left = (await sendCount()) - before;
  const sent = (await executed(later)).length;
  const found = await readFindings();
  const here = await statesOf(waiting);
  const listed = await listedOf(forgotten);
  const twice = await paidTwice([...known, ...waiting, ...forgotten, ...later]);
  console.log(
    [
      `  ${standby} promoted without ${waiting.length + forgotten.length} sends, ` +
        `${seconds(promotedAt - lostAt)} after the loss of ${primary} and ${sync}`,
      `    sending was stopped ${seconds(Math.max(0, stoppedAt - promotedAt))} after that, ` +
        `by ${(await stoppedBy()).join()}; requests that left meanwhile: ${left}`,
      `    prepared since: ${later.length}, sent: ${sent}; twice: ${twice}`,
      `    found by the recovery: ${found}; of ${forgotten.length} forgotten payouts ${listed}`,
      `    sent, and waiting in the promoted database: ${here}`,
    ].join('\n'),
  );
  await cluster.resume(primary!);
  await cluster.resume(sync!);
  // The former primary is rewound; the former standby, which also has what was lost, is not.
  await until('it is made anew', () => isDone(cluster.renew(sync!)), SOON_MS);
  await cluster.synchronous('on');
  await until('the former servers follow', () => cluster.isWhole().catch(() => false), 180_000);
  console.log(`    ${primary} and ${sync} follow again`);
  return left === 0 && twice === 0 && listed === forgotten.length;
}

async function prepare(visitor: Visitor, count: number): Promise<Operation[]> {
  const all = Array.from({ length: count }, () => payment());
  const signal = AbortSignal.timeout(SOON_MS);
  for (const one of all) await submit(visitor, one, Math.random, signal);
  return all;
}

/** Prepares payouts whose sends the provider puts off, so that they wait in the database. */
async function prepareUnsent(visitor: Visitor): Promise<Operation[]> {
  await sandbox.fault({ operation: SENDS.payout, kind: 'status', status: 429, times: 1_000 });
  return prepare(visitor, WAITING);
}

async function areExecuted(some: readonly Operation[]): Promise<boolean> {
  await hurry().catch(() => undefined);
  return (await executed(some)).length === some.length;
}

async function executed(some: readonly Operation[]): Promise<Operation[]> {
  const lines = await sandbox.ledger('payout');
  return some.filter((one) => 'payee' in one && lines.some(({ iban }) => iban === one.payee.iban));
}

async function paidTwice(some: readonly Operation[]): Promise<number> {
  const lines = await sandbox.ledger('payout');
  return some.filter(
    (one) => 'payee' in one && lines.filter(({ iban }) => iban === one.payee.iban).length > 1,
  ).length;
}

/** How many of those payouts the recovery lists for people, by the payee's IBAN. */
async function listedOf(some: readonly Operation[]): Promise<number> {
  const ibans = some.flatMap((one) => ('payee' in one ? [one.payee.iban] : []));
  const found = await rows(
    `SELECT DISTINCT iban FROM recovered_records WHERE finding = 'foreign' AND iban = ANY($1)`,
    [ibans],
  );
  return found.length;
}

/** The states of those payouts here, as `state count`. */
async function statesOf(some: readonly Operation[]): Promise<string> {
  const found = await rows<{ state: string; count: number }>(
    'SELECT state, count(*)::int AS count FROM movements WHERE id = ANY($1) GROUP BY 1 ORDER BY 1',
    [some.map(({ id }) => id)],
  );
  return found.map(({ state, count }) => `${count} ${state}`).join(', ') || 'none';
}

async function sendCount(): Promise<number> {
  return (await sandbox.requests(SENDS.payout)).length;
}

async function lagOf(server: string): Promise<number | string | undefined> {
  return (await cluster.status()).members.find(({ name }) => name === server)?.lag;
}

function isDone(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

async function isPrimary(server: string): Promise<boolean> {
  return (await cluster.server('leader').catch(() => undefined)) === server;
}

/**
 * Whether commits of the promoted server are acknowledged. Patroni 3.0 may keep the `*` that it set
 * during the promotion until the rule changes once more: nothing is committed then, and nothing sent.
 */
async function commitsAreAcknowledged(): Promise<boolean> {
  const names = await rows<{ synchronous_standby_names: string }>(
    'SHOW synchronous_standby_names',
  ).catch(() => []);
  if (names[0]?.synchronous_standby_names === '') return true;
  await pause(FOLLOWED_MS);
  await isDone(cluster.synchronous('on'));
  await isDone(cluster.synchronous('off'));
  return false;
}

async function isStopped(): Promise<boolean> {
  return (await stoppedBy().catch((): string[] => [])).includes('recovery');
}

/** What the recovery has found once it has read everything, as `kind count`. */
async function readFindings(): Promise<string> {
  await until(
    'the provider and the journal are read',
    async () =>
      (await rows('SELECT FROM recoveries WHERE scanned_at IS NOT NULL').catch(() => [])).length >
      0,
    READ_MS,
  );
  const found = await rows<{ finding: string; count: number }>(
    'SELECT finding, count(*)::int AS count FROM recovered_records GROUP BY 1 ORDER BY 1',
  );
  return found.map(({ finding, count }) => `${count} ${finding}`).join(', ') || 'nothing';
}
