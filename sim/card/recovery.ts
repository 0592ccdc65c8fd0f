import { judgeLine } from '#lib/send-control/recovery/compare-journal.ts';
import { chargesBeforeRestored } from '#lib/send-control/recovery/restored-charges.ts';
import { record } from '../claim.ts';
import { DatabaseFault } from '../database.ts';
import type { Row } from '../store.ts';
import { HOUR, MINUTE } from '../time.ts';
import type { ChargeRow } from './charge-store.ts';
import { cancel } from './desk.ts';
import { contentOf } from './operations.ts';
import type { CardTx, PaymentRow } from './store.ts';
import type { CardWorld } from './world.ts';

/**
 * A database that is restored from a copy: what the restore does, and how our own send journal and
 * people settle the rows that wait in it.
 */

/**
 * Within this time the gateway's panel shows every operation that was sent just before the database
 * was lost. People do not resume sending earlier.
 */
const LISTED_MS = 40 * MINUTE;
const NOTICED_MAX_MS = 20_000;

/**
 * Plans a restore: the rows go back to a backup, the gateway does not. Sending is off until people
 * resume it, and they confirm "send it" of a waiting row only where our own journal has no entry of
 * it.
 */
export function planRestore(world: CardWorld): void {
  const { knobs, database, stats } = world;
  const random = world.random('restore');
  if (!random.chance(knobs.faults.restored)) return;
  // Most backups are taken at the worst moment: a form has just been stored, and nothing of it has
  // left.
  const begin = (): void => {
    const [backup, madeAt] = [database.backUp(), world.agenda.now];
    const restoredAt = Math.min(world.agenda.now + random.spread(MINUTE, 3 * HOUR), knobs.healsAt);
    world.plans('restored', restoredAt, () => {
      world.note('world', () => 'the database is restored from a backup');
      stats.card.restores++;
      world.killAll();
      database.restore(backup);
      world.approvals.restored(madeAt);
      world.restoredAt = world.agenda.now;
      world.isUnnoticed = true;
      const isJournalLost = world.fault('journalLost', random);
      if (isJournalLost) world.journal.length = 0;
      // Until a process notices the restore, the missing checkpoint blocks all sends.
      world.later(random.between(0, NOTICED_MAX_MS), () => {
        world.isUnnoticed = false;
        database.tables.switchedOff = true;
        const youngest = Math.max(
          ...[...database.tables.rows.values()].map((row) => row.createdAt),
          0,
        );
        database.tables.recoveries.push({
          at: Math.max(database.clock(), youngest + 1),
          isJournalLost,
        });
        world.later(LISTED_MS + random.spread(MINUTE, 6 * HOUR), () => letGoOn(world));
      });
    });
  };
  if (random.chance(0.2))
    world.agenda.at(random.between(0, Math.round(knobs.healsAt * 0.7)), begin);
  else world.onStored = begin;
}

function letGoOn(world: CardWorld): void {
  try {
    world.database.transaction('recovery ends', (tx) => {
      for (const row of tx.rows())
        if (row.state === 'APPROVED' && !tx.isConfirmed(row)) settle(world, tx, row);
      for (const row of tx.rows())
        if (row.state === 'AWAITING_APPROVAL' && tx.isOlderThanBooks(row)) cancel(tx, row.id);
      for (const row of tx.charges())
        if (row.state === 'QUEUED' && tx.isHeldCharge(row)) settleCharge(world, tx, row);
      for (const row of tx.payments())
        if (row.made !== null && row.made.sentAt === null) recallCardCharge(world, tx, row);
      tx.turnSwitch(false);
    });
    if (!world.database.tables.switchedOff) world.judge.everythingIsKnown(lostOf(world));
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error;
    world.later(10 * MINUTE, () => letGoOn(world));
  }
}

/**
 * The sends that the recovery page names: our journal holds them, and no row has their reference or
 * the row says that nothing was sent.
 */
function lostOf({ journal, database: { tables } }: CardWorld): ReadonlySet<string> {
  const known = new Map<string, { isWaiting: boolean; saysNotSent: boolean; sends: number }>();
  for (const { extId, state, sends } of tables.rows.values())
    known.set(extId, {
      isWaiting: state === 'APPROVED',
      saysNotSent: NOT_SENT.includes(state),
      sends,
    });
  for (const { id, state, sentAt } of tables.charges.values())
    known.set(id, {
      isWaiting: state === 'QUEUED',
      saysNotSent: state === 'NOT_CHARGED',
      sends: sentAt === null ? 0 : 1,
    });
  for (const { invoiceId, made } of tables.payments.values())
    if (made !== null)
      known.set(invoiceId, {
        isWaiting: made.sentAt === null,
        saysNotSent: false,
        sends: made.sentAt === null ? 0 : 1,
      });
  const attempts = new Map<string, number>();
  for (const { reference, attempt } of journal)
    attempts.set(reference, Math.max(attempts.get(reference) ?? 0, attempt));
  return new Set(
    [...attempts]
      .filter(([reference, attempt]) =>
        ['lost', 'contradiction'].includes(judgeLine(attempt, known.get(reference) ?? null)),
      )
      .map(([reference]) => reference),
  );
}

const NOT_SENT: readonly string[] = ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];

/**
 * Does what lib/send-control/recovery/match-journal.ts does: a send that the restored rows do not
 * hold is treated as one without a response. A row without such a send is confirmed by a person.
 */
function settle(world: CardWorld, tx: CardTx, row: Row): void {
  if (findingOf(world, row.extId, row.sends) === 'recall') return recall(tx, row);
  // An operation that still waits for the gateway's staff is not sent again by a person who reads
  // the panel.
  if (world.gateway.of(row.extId).some((work) => work.state === 'waiting')) {
    world.later(HOUR, () => letGoOn(world));
    return;
  }
  tx.confirm(row.id);
  world.stats.card.confirmed++;
}

/** Does what lib/send-control/recovery/recall.ts does. No request leaves here. */
function recall(tx: CardTx, row: Row): void {
  tx.attempt(row.id, row.sends + 1, contentOf(row));
  const claimed = record(tx, row, { source: 'worker', kind: 'claimed' }, () => ({
    nextAt: tx.now,
    lease: { token: `recall-${row.id}`, until: tx.now },
  }));
  record(tx, claimed, { source: 'worker', kind: 'lease_expired' }, () => ({
    nextAt: tx.now,
    lease: null,
  }));
}

/**
 * Where the journal has no entry of a charge, people check the panel: they cancel a charge that it
 * shows as carried out, and confirm the others.
 */
function settleCharge(world: CardWorld, tx: CardTx, row: ChargeRow): void {
  if (findingOf(world, row.id, 0) !== 'recall') {
    if (world.charges.wasExecuted(row.id))
      tx.updateCharge(row.id, { state: 'NOT_CHARGED', reason: 'called_off_unproven' });
    else tx.confirm(row.id);
    return;
  }
  const plan = tx.plan(row.planId);
  tx.updateCharge(row.id, {
    state: 'SENDING',
    sentAt: tx.now,
    before: chargesBeforeRestored(row.number, plan.known.charges),
  });
  tx.updateCharge(row.id, { state: 'UNKNOWN', leaseUntil: null });
  tx.keepPlan({ ...plan, nextAt: tx.now, tries: 0 });
}

/**
 * Does what findCardCharge of lib/send-control/recovery/match-journal.ts does: a charge that the
 * journal names is marked as sent, and its record is read.
 */
function recallCardCharge(world: CardWorld, tx: CardTx, row: PaymentRow): void {
  const line = findingOf(world, row.invoiceId, 0);
  if (line === 'recall')
    tx.keepPayment({ ...row, nextAt: tx.now, tries: 0, made: { ...row.made!, sentAt: tx.now } });
}

/**
 * Compares a waiting row with the latest journal entry of its reference. Without an entry the row
 * knows of all its sends.
 */
function findingOf(
  { journal }: CardWorld,
  reference: string,
  sends: number,
): ReturnType<typeof judgeLine> {
  return judgeLine(
    Math.max(0, ...journal.filter((one) => one.reference === reference).map((one) => one.attempt)),
    { sends, isWaiting: true, saysNotSent: false },
  );
}
