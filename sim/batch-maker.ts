import type { MovementContent } from '#lib/movements/content-text.ts';
import { BatchApprovers } from './batch-approvers.ts';
import { hasExpired, isWaiting } from './batch-approving.ts';
import { PAYS_FROM } from './batch-content.ts';
import { FileDesk } from './batch-file.ts';
import {
  feed,
  isDue,
  pauseBatch,
  prepare,
  resumeBatch,
  stopBatch,
  submitBatch,
} from './batches.ts';
import type { Asked, Batch, BatchRow } from './batches.ts';
import { DatabaseFault } from './database.ts';
import { cancel, No } from './desk.ts';
import { payeeOf } from './payees.ts';
import { PolicyApprovers } from './policy-approvers.ts';
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
  private readonly desk: FileDesk;
  private readonly approvers: BatchApprovers;
  /** Whoever approves what waits by itself after its file was approved. */
  private readonly ofRows: PolicyApprovers;
  private readonly askedFor = new Set<string>();

  constructor(world: World) {
    this.world = world;
    this.random = world.random('batch');
    this.desk = new FileDesk(world);
    this.ofRows = new PolicyApprovers({
      scene: world.scene,
      random: world.random('approvers of rows'),
      attempt: (what, work) => this.isDone(what, work),
      pressed: () => undefined,
    });
    this.approvers = new BatchApprovers(world, this.ofRows, (what, work) =>
      this.isDone(what, work),
    );
  }

  private isDone(what: string, work: (tx: Tx) => void): boolean {
    return this.attempt(what, (tx) => (work(tx), true)) === true;
  }

  /** Plans one file, in worlds of banks: with a policy it may wait for its approval. */
  plan(): void {
    const { world, random } = this;
    const { kind, healsAt, faults } = world.knobs;
    if (faults.batch === 0 || kind !== 'payout') return;
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
    const maker = this.desk.makerOf(from);
    const rows = this.attempt('checks a file', (tx) => {
      const meant = from === null ? this.newRows() : this.desk.again(tx, from);
      return meant.flatMap((row) => this.desk.checked(tx, row, meant));
    });
    if (rows === undefined || rows.length === 0) return;
    this.made += 1;
    this.lookLater();
    this.press({ id: `batch-${this.made}`, maker, parent: from?.id ?? null, rows }, PRESSES);
  }

  /** Presses "send" until the page shows that the batch is there. */
  private press(batch: Pick<Batch, 'id' | 'maker' | 'parent' | 'rows'>, left: number): void {
    const { world, random } = this;
    if (world.restore.isUnderWay || left === 0) return;
    const isDone = this.isDone('submits a file', (tx) => submitBatch(tx, batch));
    this.latest = batch.id;
    this.resumes = 0;
    if (!isDone)
      return world.restore.laterUnlessRestored(random.spread(1_000, MINUTE), () =>
        this.press(batch, left - 1),
      );
    world.stats.batches++;
    if (batch.parent !== null) world.stats.batchRetries++;
    this.desk.moveNumbers(batch.rows);
    this.approvers.ask(batch.id);
  }

  /** The approvers find what still waits for them. */
  askAgain(): void {
    this.askedFor.clear();
    for (const { id } of this.world.database.tables.batches.values()) {
      this.approvers.ask(id);
      this.askForRows(id);
    }
  }

  private askForRows(id: string): void {
    const { rows, batches, governance } = this.world.database.tables;
    for (const row of governance === null ? [] : (batches.get(id)?.rows ?? [])) {
      const isAsked = rows.get(row.id)?.state !== 'AWAITING_APPROVAL' || this.askedFor.has(row.id);
      if (isAsked) continue;
      this.askedFor.add(row.id);
      this.ofRows.ask(row.id);
    }
  }

  private newRows(): BatchRow[] {
    const { world, random } = this;
    const payees = random.between(3, ROWS_MAX);
    return Array.from({ length: random.between(3, ROWS_MAX) }, (_, n): BatchRow => {
      const payee = random.between(0, payees);
      const content: MovementContent = {
        ...{ ...PAYS_FROM, paymentType: '01', description: `Satır ${n}` },
        ...{ toWallet: null, foundBy: null, foundName: null },
        ...payeeOf(payee),
        amountMinor: random.pick(AMOUNTS),
      };
      const flags = { overrides: [], retryOf: null, made: false, refused: null };
      const row = { n, ...world.newIntent(), need: FIRST_NEED + n, content, ...flags };
      return world.fault('batchPeople', this.desk.random) ? this.desk.toPerson(row, payee) : row;
    });
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
      const next = this.attempt('reads what is paid again', (tx) => prepare(tx, id));
      const asked: Asked = { available, people: this.desk.find(next?.keys ?? []) };
      if (world.fault('crash', random)) {
        world.stats.crashes++;
        world.agenda.after(random.spread(100, RESTART_MAX_MS), () => this.feedSoon());
        return;
      }
      world.agenda.after(next?.isStale === true ? REFRESH_MS : random.between(5, 900), () => {
        const fed = this.attempt('feeds', (tx) => feed(tx, id, asked));
        world.stats.batchRows += fed?.made ?? 0;
        if (fed?.held === true) world.stats.batchHolds++;
        for (const parent of fed?.parents ?? [])
          world.watch.paidAgain(world.database.tables.rows.get(parent)!);
        this.askForRows(id);
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
    for (const batch of this.world.database.tables.batches.values())
      if (isDue(batch)) return batch.id;
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
    const now = world.database.clock();
    if (hasExpired(batch, now)) return (this.stop(id), this.lookLater());
    // Who waits for an approval seldom looks.
    if (isWaiting(batch, now) && !random.chance(0.1)) {
      this.looks -= 1;
      return world.agenda.after(random.spread(MINUTE, 2 * HOUR), () => this.look());
    }
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
