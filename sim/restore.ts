import {
  comparisons,
  journalState,
  notComparable,
} from '#lib/send-control/recovery/compare-journal.ts';
import { DatabaseFault } from './database.ts';
import { cancel, No } from './desk.ts';
import type { Random } from './random.ts';
import {
  acknowledge,
  beginRecovery,
  confirmSend,
  endRecovery,
  matchLine,
  matchRecord,
  noteReading,
} from './recovery.ts';
import type { Means, SendLine } from './recovery.ts';
import { heldOf, isStanding } from './recovery-table.ts';
import type { Recovery } from './recovery-table.ts';
import type { Change, Row, Tables, Tx } from './store.ts';
import { HOUR, MINUTE } from './time.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/**
 * The database of a world goes back to an earlier copy; the provider and our own send journal do
 * not. This file plays the restore and the people who resume sending, and judges the result by the
 * requests and the provider's records.
 */

/** The least age of a copy that is restored: longer than any jump of the clock. */
const GAP_MIN_MS = 6 * MINUTE;
const GAP_MAX_MS = 3 * HOUR;
const NOTICED_MAX_MS = 2 * MINUTE;
/**
 * Within this time after a restore, a provider that keeps its contract lists every request that
 * left before it.
 */
const LISTED_MS = 25 * MINUTE;
const PERSON = 'selin';

type Moment = 'stored' | 'put back' | 'any time';

export class Restore {
  /** How many restores have happened. */
  private times = 0;
  private at = Infinity;
  private waitsFor: Moment | null = null;
  private journal: SendLine[] = [];
  /** The rows as they were when the database was lost, by ext id. */
  private readonly lost = new Map<string, Row>();
  private readonly older = new Set<string>();
  private readonly confirmedSends = new Set<string>();
  private readonly world: World;
  private readonly random: Random;

  constructor(world: World) {
    this.world = world;
    this.random = world.random('restore');
  }

  plan(): void {
    const { world, random } = this;
    if (!random.chance(world.knobs.faults.restored)) return;
    this.waitsFor = random.pick(['stored', 'stored', 'put back', 'any time'] as const);
    const latest = random.between(0, Math.round(world.knobs.healsAt * 0.7));
    world.agenda.at(latest, () => this.backUp());
  }

  /** Writes an entry of our own journal, on a disk that no restore of the database changes. */
  writeLine({ extId, sends, toWallet, iban, amountMinor }: Row): void {
    this.journal.push({ extId, attempt: sends, payee: toWallet ?? iban, amountMinor });
  }

  get phase(): Recovery['phase'] {
    return this.world.database.tables.recovery.phase;
  }

  get isUnderWay(): boolean {
    return this.phase === 'unseen' || this.phase === 'open';
  }

  /**
   * Whether a row shows only what the copy held: until the recovery ends, no page claims that it is
   * current.
   */
  forgets(extId: string): boolean {
    return this.isUnderWay && this.older.has(extId);
  }

  /**
   * The need of an arriving request that the restored rows do not hold; null for all other
   * requests.
   */
  forgottenNeed(extId: string): number | null {
    const isKnown = [...this.world.database.rows()].some(
      (row) => row.extId === extId && !this.forgets(extId),
    );
    return isKnown ? null : (this.lost.get(extId)?.need ?? null);
  }

  isFound(extId: string): boolean {
    return this.world.database.tables.recovery.found.some((one) => one.extId === extId);
  }

  /**
   * Whether the recovery found a payment of this need that the rows do not hold. People recognise
   * its reference.
   */
  isPaidElsewhere(need: number): boolean {
    return this.world.database.tables.recovery.found.some(
      (one) =>
        one.finding === 'foreign' && isStanding(one) && this.lost.get(one.extId)?.need === need,
    );
  }

  /**
   * Backs up the database at the moment that this world waits for: a row was stored or put back to
   * APPROVED, and its request has not left yet.
   */
  committed({ rows }: Change): void {
    // A batch that the copy holds makes the lost intent of a row again, until the restore is noticed.
    for (const { before, after } of rows)
      if (before === null && this.isUnderWay && this.lost.has(after.extId))
        this.older.add(after.extId);
    const isMoment = rows.some(({ before, after }) =>
      this.waitsFor === 'stored'
        ? before === null
        : this.waitsFor === 'put back' &&
          before?.state === 'SUBMITTING' &&
          after.state === 'APPROVED',
    );
    if (isMoment) this.backUp();
    // What is approved after the recovery stands on the page of held payments from then on.
    for (const { before, after } of rows)
      if (before?.state === 'AWAITING_APPROVAL' && after.state === 'APPROVED' && !this.isUnderWay)
        this.decideSoon([after]);
  }

  /** Called when the first byte of a request leaves. */
  written({ extId }: Row): void {
    if (this.isUnderWay)
      throw new Violation('B1', `${extId} leaves before people have let sending go on`);
    if (this.older.has(extId) && !this.confirmedSends.has(extId))
      throw new Violation(
        'B1',
        `${extId} is older than the restore, and leaves without a person's word`,
      );
  }

  /**
   * Runs `run` after `ms`, unless the database was restored meanwhile: a page that was open then
   * has lost its session, so that its form is not submitted.
   */
  laterUnlessRestored(ms: number, run: () => void): void {
    const { times } = this;
    this.world.agenda.after(ms, () => {
      if (this.times === times) run();
    });
  }

  private backUp(): void {
    const { world, random } = this;
    const at = world.agenda.now + random.spread(GAP_MIN_MS, GAP_MAX_MS);
    if (this.waitsFor === null || world.agenda.now + GAP_MIN_MS > world.knobs.healsAt) return;
    this.waitsFor = null;
    const [backup, madeAt] = [world.database.backUp(), world.agenda.now];
    world.note('database', () => 'is backed up');
    world.plans('restored', at, () => this.restore(backup, madeAt));
  }

  private restore(backup: Tables, madeAt: number): void {
    const { world, random } = this;
    world.note('database', () => 'comes back from the backup');
    world.stats.restores++;
    this.times++;
    this.at = world.agenda.now;
    for (const worker of world.workers) worker.kill();
    for (const row of world.database.rows()) this.lost.set(row.extId, row);
    world.database.restore(backup);
    world.watch.restored();
    world.watch.approvals.restored(madeAt);
    world.watch.batches.restored(madeAt);
    for (const row of world.database.rows()) this.older.add(row.extId);
    for (const id of world.acknowledged) if (!backup.rows.has(id)) world.acknowledged.delete(id);
    for (const { id, extId, sends } of this.lost.values())
      if (sends > (backup.rows.get(id)?.sends ?? 0)) world.lives.meets(extId, 'its send forgotten');
    if (world.fault('journalLost', random)) this.journal = [];
    world.later(random.spread(1_000, NOTICED_MAX_MS), () => this.begin());
  }

  private begin(): void {
    if (!this.try('begins', (tx) => beginRecovery(tx, this.world.policy)))
      return this.world.later(MINUTE, () => this.begin());
    for (const row of this.world.database.rows()) this.older.add(row.extId);
    this.world.later(this.random.spread(1_000, 10 * MINUTE), () => this.letGoOn());
  }

  /** People try to resume sending until it succeeds. Each try begins by reading all lists. */
  private letGoOn(): void {
    const { world, random } = this;
    const isOver =
      this.read() && this.try('is seen', acknowledge) && this.try('ends', (tx) => this.end(tx));
    if (!isOver && this.phase === 'open')
      return world.later(random.spread(5 * MINUTE, 2 * HOUR), () => this.letGoOn());
    this.decideSoon([...world.database.rows()]);
    // Who had a page open was signed out by the restore, and reads again what waits.
    if (world.healed) return;
    for (const buyer of world.buyers) buyer.askAgain();
    world.batchMaker.askAgain();
  }

  /** People decide within two hours on each of these rows that waits for a "send it". */
  private decideSoon(rows: readonly Row[]): void {
    const { world, random } = this;
    const { recovery } = world.database.tables;
    const held = rows.filter(
      (row) => row.state === 'APPROVED' && heldOf(recovery, row, world.database.clock()) !== null,
    );
    for (const row of held) world.later(random.spread(1_000, 2 * HOUR), () => this.decide(row.id));
  }

  private read(): boolean {
    const { world, random, journal } = this;
    const means: Means = { policy: world.policy, random: () => random.next() };
    if (world.fault('readLost', random)) return false;
    return (
      world.provider
        .listed()
        .every((listed) => this.try('record listed', (tx) => matchRecord(tx, means, listed))) &&
      journal.every((line) => this.try('record line', (tx) => matchLine(tx, means, line))) &&
      this.try('is read', (tx) => noteReading(tx, journal))
    );
  }

  private end(tx: Tx): void {
    endRecovery(tx);
    for (const row of this.lost.values()) this.judge(tx, row);
  }

  /**
   * Judges a lost row when sending resumes: each earlier send must be known now, or the page must
   * say that it cannot be known.
   */
  private judge(tx: Tx, { extId, need, kind }: Row): void {
    const { watch, provider, network } = this.world;
    if (watch.excused.has(extId) || this.isKnown(tx, extId)) return;
    const payments = provider.payments.filter((one) => one.extId === extId);
    const left = payments.length > 0 || (network.underWay.get(extId) ?? 0) > 0;
    if (left && journalState(tx.recovery.journal) === 'complete')
      throw new Violation('B2', `${extId} has left, and the journal is said to be complete`);
    const inTime = payments.some((one) => one.visibleAt < this.at + LISTED_MS);
    const blind: readonly string[] = notComparable(comparisons(tx.recovery.journal, true));
    if (inTime && !blind.includes(kind))
      throw new Violation('B2', `${extId} has left and is listed, and the books do not know`);
    // Without a journal, nothing shows a payment that the provider lists later than it promises, or
    // a request that it never executed.
    if (watch.writtenOf(extId) > 0) watch.excused.add(extId).add(`forgotten ${extId}`);
    if (left) watch.excused.add(`need ${need}`);
  }

  private isKnown(tx: Tx, extId: string): boolean {
    if (tx.recovery.found.some((one) => one.extId === extId)) return true;
    const row = tx.rows().find((one) => one.extId === extId);
    return row !== undefined && (!isUnsent(row) || row.alert === 'contradiction');
  }

  /**
   * A person decides on "send it" for one row. The person who needed the payment knows whether
   * another one paid it.
   */
  private decide(id: string): void {
    const { database, agenda } = this.world;
    const row = database.tables.rows.get(id)!;
    const others = [...database.rows()].some(
      (one) => one.need === row.need && one.id !== id && !isDone(one),
    );
    const isPaid = others || this.isPaidElsewhere(row.need);
    this.world.lives.meets(row.extId, 'waited since a restore');
    if (!isPaid) this.confirmedSends.add(row.extId);
    const done = this.try(isPaid ? 'cancel' : 'send it', (tx) =>
      isPaid ? cancel(tx, id) : confirmSend(tx, id, PERSON),
    );
    const isLeft =
      database.tables.rows.get(id)!.state === 'APPROVED' &&
      !database.tables.recovery.confirmed.has(id);
    if (!done && isLeft) agenda.after(MINUTE, () => this.decide(id));
  }

  private try(what: string, work: (tx: Tx) => void): boolean {
    try {
      this.world.database.transaction(`recovery: ${what}`, work);
      return true;
    } catch (error) {
      if (!(error instanceof DatabaseFault) && !(error instanceof No)) throw error;
      this.world.note('recovery', () => `${what}: ${error.message}`);
      return false;
    }
  }
}

/** Whether the row's state says that nothing was sent. */
function isUnsent({ state }: Row): boolean {
  return ['DRAFT', 'AWAITING_APPROVAL', 'APPROVED', 'CANCELLED', 'EXPIRED'].includes(state);
}

function isDone({ state, returned }: Row): boolean {
  return (
    ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'].includes(state) ||
    (state === 'COMPLETED' && returned === 'CONFIRMED')
  );
}
