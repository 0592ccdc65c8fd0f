import { BatchApprovalWatch } from './batch-approval-watch.ts';
import { BatchPeopleWatch } from './batch-people-watch.ts';
import type { Batch, BatchRow } from './batches.ts';
import type { Change, Row } from './store.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** Judges batches by the rows and the requests; it shares no code with the product. */

const ONE_CONTENT = ['iban', 'toWallet', 'foundBy', 'foundName', 'name', 'amountMinor'] as const;
/** A request that began before a pause leaves within this time, or not at all. */
const BEGUN_MS = 45_000;
const OPEN = ['AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW'];

export class BatchWatch {
  private readonly world: World;
  /** Since when a batch is paused or stopped, by its id. */
  private readonly heldSince = new Map<string, number>();
  readonly approvals: BatchApprovalWatch;
  readonly people: BatchPeopleWatch;
  /** What each row was when its batch was submitted, by its id. */
  private readonly submitted = new Map<string, BatchRow['content']>();
  /** The contents that were compared with the intents made of them. */
  private readonly compared = new WeakSet<BatchRow['content']>();

  constructor(world: World) {
    this.world = world;
    this.approvals = new BatchApprovalWatch(world);
    this.people = new BatchPeopleWatch(world);
  }

  committed(change: Pick<Change, 'rows' | 'given' | 'at'>): void {
    const { batches } = this.world.database.tables;
    if (batches.size === 0) return;
    for (const { before, after } of change.rows)
      if (before === null) this.people.inserted(after, this.isTampered(after));
    for (const batch of batches.values()) this.judge(batch);
    this.approvals.committed(change);
    for (const { before, after } of change.rows)
      if (before?.state === 'APPROVED' && after.state === 'SUBMITTING' && !before.everAmbiguous)
        this.claimed(after);
  }

  /** Called when the first byte of a request leaves. */
  written(row: Row, body: string): void {
    this.people.written(row, body, this.isTampered(row));
    if (row.everAmbiguous) return;
    const batch = this.batchOf(row);
    const since = batch === undefined ? undefined : this.heldSince.get(batch.id);
    if (since !== undefined && this.world.agenda.now - since > BEGUN_MS)
      throw new Violation('M2', `${row.extId} leaves although its batch is paused or stopped`);
  }

  private judge(batch: Batch): void {
    const { rows, batches } = this.world.database.tables;
    if (batch.hold === null && !batch.stopped) this.heldSince.delete(batch.id);
    else if (!this.heldSince.has(batch.id)) this.heldSince.set(batch.id, this.world.agenda.now);
    const parent = batch.parent === null ? undefined : batches.get(batch.parent);
    for (const row of batch.rows) {
      if (!this.submitted.has(row.id)) this.submitted.set(row.id, row.content);
      const intent = rows.get(row.id);
      if (row.made !== (intent !== undefined) || (row.made && row.refused !== null))
        throw new Violation('M1', `row ${row.n} of ${batch.id} is not one of its three states`);
      if (intent !== undefined) this.compare(batch, row, intent);
      const before = parent?.rows.find(({ n }) => n === row.n);
      const paid = before === undefined || row.made ? undefined : rows.get(before.id);
      const isOut =
        paid !== undefined &&
        (OPEN.includes(paid.state) ||
          (paid.state === 'COMPLETED' && paid.returned !== 'CONFIRMED'));
      if (this.isNew(batch) && isOut)
        throw new Violation('M3', `a retry takes row ${row.n}, which is ${paid.state}`);
    }
    if (batch.fed || batch.stopped || this.isNew(batch)) this.known.add(batch.id);
  }

  /** Once: somebody who changes an intent past the triggers afterwards is the matter of I3. */
  private compare({ id }: Batch, { n, extId, content }: BatchRow, intent: Row): void {
    if (this.compared.has(content)) return;
    this.compared.add(content);
    if (intent.extId !== extId || ONE_CONTENT.some((field) => intent[field] !== content[field]))
      throw new Violation('M1', `row ${n} of ${id} became another intent`);
  }

  /** Whether somebody has changed a row in the database, past the triggers. */
  private isTampered({ id }: Row): boolean {
    const first = this.submitted.get(id);
    for (const { rows } of this.world.database.tables.batches.values())
      for (const row of rows) if (row.id === id) return row.content !== first;
    return false;
  }

  /** The rows became those of a copy that was made at `madeAt`. */
  restored(madeAt: number): void {
    this.approvals.restored(madeAt);
  }

  private readonly known = new Set<string>();
  private isNew({ id }: Batch): boolean {
    return !this.known.has(id);
  }

  private claimed(row: Row): void {
    const batch = this.batchOf(row);
    if (batch !== undefined && (batch.hold !== null || batch.stopped))
      throw new Violation('M2', `${row.extId} is claimed although its batch is paused or stopped`);
  }

  private batchOf({ id }: Row): Batch | undefined {
    for (const batch of this.world.database.tables.batches.values())
      if (batch.rows.some((row) => row.id === id)) return batch;
    return undefined;
  }

  /** A batch that still runs when everything is over; null where none does. */
  unsettled(): { rule: 'M1'; what: string } | null {
    for (const { id, fed, stopped, rows } of this.world.database.tables.batches.values())
      if (!fed && !stopped)
        return {
          rule: 'M1',
          what: `${id} still runs: ${rows.filter(({ made, refused }) => !made && refused === null).length} rows wait`,
        };
    return null;
  }
}
