import type { Batch } from './batches.ts';
import type { Change, Row } from './store.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** Judges batches by the rows and the requests; it shares no code with the product. */

/** A request that began before a pause leaves within this time, or not at all. */
const BEGUN_MS = 45_000;
const OPEN = ['AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW'];

export class BatchWatch {
  private readonly world: World;
  /** Since when a batch is paused or stopped, by its id. */
  private readonly heldSince = new Map<string, number>();

  constructor(world: World) {
    this.world = world;
  }

  committed({ rows }: Pick<Change, 'rows'>): void {
    const { batches } = this.world.database.tables;
    if (batches.size === 0) return;
    for (const batch of batches.values()) this.judge(batch);
    for (const { before, after } of rows)
      if (before?.state === 'APPROVED' && after.state === 'SUBMITTING' && !before.everAmbiguous)
        this.claimed(after);
  }

  /** Called when the first byte of a request leaves. */
  written(row: Row): void {
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
      const intent = rows.get(row.id);
      if (row.made !== (intent !== undefined) || (row.made && row.refused !== null))
        throw new Violation('M1', `row ${row.n} of ${batch.id} is not one of its three states`);
      const { content } = row;
      if (
        intent !== undefined &&
        (intent.extId !== row.extId ||
          intent.iban !== content.iban ||
          intent.amountMinor !== content.amountMinor)
      )
        throw new Violation('M1', `row ${row.n} of ${batch.id} became another intent`);
      const before = parent?.rows.find(({ n }) => n === row.n);
      const paid = before === undefined || row.made ? undefined : rows.get(before.id);
      if (this.isNew(batch) && paid !== undefined && OPEN.includes(paid.state))
        throw new Violation('M3', `a retry takes row ${row.n}, which is ${paid.state}`);
    }
    if (batch.fed || batch.stopped || this.isNew(batch)) this.known.add(batch.id);
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
