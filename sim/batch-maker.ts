import type { MovementContent } from '#lib/movements/content-text.ts';
import {
  feed,
  pauseBatch,
  refreshParents,
  resumeBatch,
  retryRows,
  stopBatch,
  submitBatch,
} from './batches.ts';
import type { Batch, BatchRow } from './batches.ts';
import { DatabaseFault } from './database.ts';
import { cancel, No, objectionsTo } from './desk.ts';
import { payeeOf } from './payees.ts';
import type { Random } from './random.ts';
import type { Tx } from './store.ts';
import { HOUR, MINUTE } from './time.ts';
import type { World } from './world.ts';

/**
 * A person who pays with files, and the web process that makes intents of the rows: it reads the
 * balance, and is killed between that and its transaction as at any other time.
 */

const ROWS_MAX = 26;
/** Needs of rows, apart from those of forms. */
const FIRST_NEED = 1_000;
const LOOK_MS = 6 * MINUTE;
const LOOKS_MAX = 400;
const RETRIES_MAX = 2;
const RESUMES_MAX = 6;
const REFRESH_MS = 15_000;
const IDLE_MS = 30_000;
const PRESSES = 8;
const RESTART_MAX_MS = 2 * MINUTE;
/** Fewer different amounts than rows, so that some are alike by chance. */
const AMOUNTS = [1_240_000n, 50_050n, 99_999n, 310_075n, 8_125n, 640_000n];

export class BatchMaker {
  private readonly world: World;
  private readonly random: Random;
  private latest: string | null = null;
  private made = 0;
  private retries = 0;
  private resumes = 0;
  private looks = 0;

  constructor(world: World) {
    this.world = world;
    this.random = world.random('batch');
  }

  /** Plans one file, in worlds of banks without a policy: nobody has to approve it. */
  plan(): void {
    const { world, random } = this;
    const { kind, healsAt, faults } = world.knobs;
    const isApproved = world.database.tables.governance !== null;
    if (faults.batch === 0 || kind !== 'payout' || isApproved) return;
    world.plans('batch', Math.round(random.next() * healsAt * 0.6), () => {
      this.upload(null);
      this.feedSoon();
    });
    if (faults.emptied === 0) return;
    const from = random.between(0, healsAt);
    world.plans('emptied', from, () => void (world.provider.isEmptied = true));
    world.agenda.at(
      Math.min(from + random.spread(MINUTE, 2 * HOUR), healsAt),
      () => void (world.provider.isEmptied = false),
    );
  }

  private upload(from: Batch | null): void {
    const { world } = this;
    if (world.restore.isUnderWay) return void world.later(5 * MINUTE, () => this.upload(from));
    const rows = this.attempt('checks a file', (tx) => {
      const meant =
        from === null
          ? this.newRows()
          : retryRows(tx, from.id).map((row) => this.again(tx, from, row));
      return meant.flatMap((row) => this.checked(tx, row, meant));
    });
    if (rows === undefined || rows.length === 0) return;
    this.made += 1;
    this.lookLater();
    this.press({ id: `batch-${this.made}`, parent: from?.id ?? null, rows }, PRESSES);
  }

  /** Presses "send" until the page shows that the batch is there. */
  private press(batch: Pick<Batch, 'id' | 'parent' | 'rows'>, left: number): void {
    const { world, random } = this;
    if (world.restore.isUnderWay || left === 0) return;
    const isDone = this.attempt('submits a file', (tx) => {
      submitBatch(tx, { ...batch, maker: 'ayse' });
      return true;
    });
    this.latest = batch.id;
    this.resumes = 0;
    if (isDone !== true)
      return world.restore.laterUnlessRestored(random.spread(1_000, MINUTE), () =>
        this.press(batch, left - 1),
      );
    world.stats.batches++;
    if (batch.parent !== null) world.stats.batchRetries++;
  }

  private newRows(): BatchRow[] {
    const { world, random } = this;
    const payees = random.between(3, ROWS_MAX);
    return Array.from({ length: random.between(3, ROWS_MAX) }, (_, n): BatchRow => {
      const content: MovementContent = {
        ...{ wallet: '1000000001', currency: 'TRY', paymentType: '01' },
        ...{ toWallet: null, foundBy: null, foundName: null },
        ...payeeOf(random.between(0, payees)),
        amountMinor: random.pick(AMOUNTS),
        description: `Satır ${n}`,
      };
      const flags = { overrides: [], retryOf: null, made: false, refused: null };
      return { n, ...world.newIntent(), need: FIRST_NEED + n, content, ...flags };
    });
  }

  /** A row of a retry: it pays again the latest intent that an earlier batch made of it. */
  private again(tx: Tx, from: Batch, row: BatchRow): BatchRow {
    let latest = row.made ? row.id : null;
    for (let batch: Batch | null = from; latest === null && batch !== null;) {
      batch = batch.parent === null ? null : tx.batch(batch.parent);
      const earlier = batch?.rows.find(({ n }) => n === row.n);
      if (earlier?.made === true) latest = earlier.id;
    }
    const anew = { overrides: [], made: false, refused: null };
    return { ...row, ...this.world.newIntent(), ...anew, retryOf: latest };
  }

  /** The draft's check: a row that is blocked is left out, and warnings are ticked or left out. */
  private checked(tx: Tx, row: BatchRow, all: readonly BatchRow[]): BatchRow[] {
    const findings = objectionsTo(tx, {
      ...{ id: row.id, content: row.content, besides: new Set(all.map(({ id }) => id)) },
    });
    if (findings.some(({ level }) => level === 'block')) return [];
    const warned = findings.filter(({ level }) => level === 'warn').map(({ code }) => code);
    // What may be this payment again is no new one: this person looks, and leaves the row out.
    if (warned.length > 0 && this.isOut(tx, row)) return [];
    return [{ ...row, overrides: [...new Set(warned)] }];
  }

  /** Whether another payment of this need is, or may be, out. */
  private isOut(tx: Tx, { need, retryOf }: BatchRow): boolean {
    return (
      this.world.restore.isPaidElsewhere(need) ||
      tx.rows().some((one) => one.need === need && one.id !== retryOf && one.state !== 'CANCELLED')
    );
  }

  /** A web process looks for a batch that is due, again and again. */
  private feedSoon(): void {
    const { world, random } = this;
    world.agenda.after(this.due() === null ? IDLE_MS : random.between(200, 2_500), () => {
      const id = this.due();
      if (id === null) {
        this.finishStops();
        return this.isOver() ? undefined : this.feedSoon();
      }
      const available = world.fault('readLost', random) ? null : world.provider.balance();
      const isStale = this.attempt('reads what is paid again', (tx) => refreshParents(tx, id));
      if (world.fault('crash', random)) {
        world.stats.crashes++;
        world.agenda.after(random.spread(100, RESTART_MAX_MS), () => this.feedSoon());
        return;
      }
      world.agenda.after(isStale === true ? REFRESH_MS : random.between(5, 900), () => {
        const fed = this.attempt('feeds', (tx) => feed(tx, id, available));
        world.stats.batchRows += fed?.made ?? 0;
        if (fed?.held === true) world.stats.batchHolds++;
        for (const parent of fed?.parents ?? [])
          world.watch.paidAgain(world.database.tables.rows.get(parent)!);
        this.feedSoon();
      });
    });
  }

  private isOver(): boolean {
    const all = [...this.world.database.tables.batches.values()];
    return (
      this.world.healed &&
      all.every(({ fed, stopped }) => fed || stopped) &&
      all.every((batch) => !batch.stopped || !this.mayStayUnsent(batch))
    );
  }

  /** A row that a worker holds may be ready again when its request did not leave. */
  private mayStayUnsent(batch: Batch): boolean {
    const { rows } = this.world.database.tables;
    return batch.rows.some(
      ({ made, id }) =>
        made && ['APPROVED', 'AWAITING_APPROVAL', 'SUBMITTING'].includes(rows.get(id)?.state ?? ''),
    );
  }

  private due(): string | null {
    for (const { id, fed, stopped, hold } of this.world.database.tables.batches.values())
      if (!fed && !stopped && hold === null) return id;
    return null;
  }

  private lookLater(): void {
    this.world.agenda.after(this.random.spread(10_000, LOOK_MS), () => this.look());
  }

  /** A person looks at the page of a batch: of one that is not over, else of the latest. */
  private look(): void {
    const { world, random } = this;
    const batches = [...world.database.tables.batches.values()];
    const open = batches.filter(({ fed, stopped }) => !fed && !stopped);
    // A restore may have lost the latest one.
    const batch = open[0] ?? world.database.tables.batches.get(this.latest ?? '') ?? batches.at(-1);
    this.looks += 1;
    if (this.looks > LOOKS_MAX) {
      for (const { id } of open) this.stop(id);
      return open.length === 0 ? undefined : this.lookLater();
    }
    if (batch === undefined || world.restore.isUnderWay) return this.lookLater();
    const { id } = batch;
    if (batch.stopped || batch.fed) return this.lookAtTheEnd(batch);
    if (batch.hold === 'restored' || this.resumes > RESUMES_MAX) this.stop(id);
    else if (batch.hold !== null) {
      this.resumes += batch.hold === 'person' ? 0 : 1;
      this.attempt('lets it go on', (tx) => resumeBatch(tx, id));
    } else if (world.fault('batchPause', random))
      this.attempt('pauses', (tx) => pauseBatch(tx, id));
    else if (world.fault('batchStop', random)) this.stop(id);
    this.lookLater();
  }

  private stop(id: string): void {
    const { world, random } = this;
    if (this.attempt('stops', (tx) => stopBatch(tx, id)) === undefined) return;
    if (!world.fault('crash', random)) this.cancelUnsent(id);
  }

  /** Cancels what is ready, intent by intent; what a worker holds goes its way. */
  private cancelUnsent(id: string): void {
    const batch = this.world.database.tables.batches.get(id);
    for (const row of batch === undefined ? [] : this.unsentOf(batch))
      this.attempt('cancels', (tx) => cancel(tx, row.id));
  }

  private unsentOf(batch: Batch): readonly BatchRow[] {
    const { rows } = this.world.database.tables;
    return batch.rows.filter(
      ({ made, id }) =>
        made && ['APPROVED', 'AWAITING_APPROVAL'].includes(rows.get(id)?.state ?? ''),
    );
  }

  /** Cancels what a stop has left behind because its process ended in between. */
  private finishStops(): void {
    for (const { id, stopped } of this.world.database.tables.batches.values())
      if (stopped && !this.world.restore.isUnderWay) this.cancelUnsent(id);
  }

  private lookAtTheEnd(batch: Batch): void {
    const { world, random } = this;
    const isMore = this.retries < RETRIES_MAX && world.fault('batchRetry', random);
    if (isMore) {
      this.retries += 1;
      this.upload(batch);
    }
    if (!world.healed || batch.stopped) this.lookLater();
  }

  private attempt<T>(what: string, work: (tx: Tx) => T): T | undefined {
    const { world } = this;
    try {
      return world.database.transaction(`batch: ${what}`, work);
    } catch (error) {
      if (error instanceof No || error instanceof DatabaseFault) {
        world.note('batch', () => `${what}: ${error.message}`);
        return undefined;
      }
      throw error;
    }
  }
}
