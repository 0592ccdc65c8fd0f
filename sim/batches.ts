import type { MovementContent } from '#lib/movements/content-text.ts';
import { isFreshlyRead } from '#lib/movements/pay-again.ts';
import { IBAN_COOLDOWN_MS } from '#lib/movements/kinds.ts';
import { CHUNK, holdOf, WINDOW } from '#lib/batches/run/hold-rules.ts';
import type { Hold } from '#lib/batches/run/hold-rules.ts';
import { freshenParent, No, submit } from './desk.ts';
import { listedSince } from './recovery-table.ts';
import type { Tx } from './store.ts';

/**
 * The web's transactions about batches: as lib/batches/run does them in SQL, with its rules for
 * pauses. A row becomes an intent by the desk's own submit.
 */

export type BatchRow = {
  readonly n: number;
  readonly id: string;
  readonly extId: string;
  readonly need: number;
  readonly content: MovementContent;
  readonly overrides: readonly string[];
  readonly retryOf: string | null;
  readonly made: boolean;
  readonly refused: { code: string; at: number } | null;
};
export type Batch = {
  readonly id: string;
  readonly maker: string;
  readonly parent: string | null;
  readonly beganAt: number;
  readonly resumedAt: number | null;
  readonly rows: readonly BatchRow[];
  readonly hold: Hold | null;
  readonly stopped: boolean;
  readonly fed: boolean;
};

const UNPAID = ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];
const READY = ['APPROVED', 'SUBMITTING'];

export function submitBatch(
  tx: Tx,
  { id, maker, parent, rows }: Pick<Batch, 'id' | 'maker' | 'parent' | 'rows'>,
): void {
  if (tx.batch(id) !== null) return;
  const run = { beganAt: tx.now, resumedAt: null, hold: null, stopped: false, fed: false };
  tx.setBatch({ id, maker, parent, rows, ...run });
}

/** `parents`: the intents that the new ones pay again. */
type Fed = { parents: string[]; made: number; held: boolean };
const NOTHING: Fed = { parents: [], made: 0, held: false };

/**
 * Makes intents of the next rows. `available`: what the provider reported before this transaction;
 * null when it did not answer.
 */
export function feed(tx: Tx, id: string, available: bigint | null): Fed {
  const batch = tx.batch(id);
  if (batch === null || batch.fed || batch.hold !== null || batch.stopped) return NOTHING;
  const hold = holdOf({
    restored: (tx.recovery.beganAt ?? -Infinity) > batch.beganAt,
    lastEnded: lastEnded(tx, batch),
    availableMinor: available,
    unsentMinor: unsent(tx, batch),
    // The provider of a world takes no fees.
    feesMinor: 0n,
  });
  if (hold !== null) {
    tx.setBatch({ ...batch, hold: hold.hold });
    return { ...NOTHING, held: true };
  }
  if (available === null) return NOTHING;
  const parents: string[] = [];
  const next = nextRows(tx, batch).map((row): BatchRow => {
    const fed = feedRow(tx, batch, row);
    if (fed.made && fed.retryOf !== null) parents.push(fed.retryOf);
    return fed;
  });
  const rows = batch.rows.map((row) => next.find(({ n }) => n === row.n) ?? row);
  const isFed = rows.every(
    (row) =>
      row.refused !== null || (row.made && !READY.includes(tx.row(row.id)?.state ?? 'APPROVED')),
  );
  tx.setBatch({ ...batch, rows, fed: isFed });
  return { parents, made: next.filter(({ made }) => made).length, held: false };
}

/** The parents of the next rows that have to be read first; their reads are due now. */
export function refreshParents(tx: Tx, id: string): boolean {
  const batch = tx.batch(id);
  if (batch === null) return false;
  const stale = nextRows(tx, batch).flatMap(({ retryOf }) =>
    retryOf !== null && tx.row(retryOf) !== null && !freshenParent(tx, retryOf) ? retryOf : [],
  );
  return stale.length > 0;
}

function nextRows(tx: Tx, { rows }: Batch): BatchRow[] {
  const underWay = rows.filter(
    ({ made, id }) => made && READY.includes(tx.row(id)?.state ?? 'CANCELLED'),
  );
  const taken = new Set(underWay.map(({ content }) => content.iban));
  const waiting = rows.filter(({ made, refused }) => !made && refused === null);
  const firsts = waiting.filter(
    ({ content, n }) =>
      waiting.find((one) => one.content.iban === content.iban)?.n === n &&
      !taken.has(content.iban) &&
      (tx.gate(content.iban) ?? -Infinity) <= tx.now - IBAN_COOLDOWN_MS,
  );
  return firsts.slice(0, Math.max(0, Math.min(CHUNK, WINDOW - underWay.length)));
}

function feedRow(tx: Tx, batch: Batch, row: BatchRow): BatchRow {
  const { id, extId, need, content, overrides, retryOf } = row;
  const parent = retryOf === null ? null : tx.row(retryOf);
  const refused = (code: string): BatchRow => ({ ...row, refused: { code, at: tx.now } });
  if (parent !== null && !isFreshlyRead(parent, tx.now, listedSince(tx.recovery, parent)))
    return refused('parent_not_read');
  try {
    submit(tx, {
      ...{ id, extId, need, content, retryOf, kind: 'payout', maker: batch.maker },
      ...{ approvalsNeeded: 0, overrides: [...overrides] },
      besides: new Set(batch.rows.map((one) => one.id)),
    });
  } catch (error) {
    if (error instanceof No) return refused(error.message);
    throw error;
  }
  return { ...row, made: true };
}

function unsent(tx: Tx, { rows }: Batch): bigint {
  return rows
    .filter(
      ({ made, refused, id }) =>
        refused === null &&
        (!made || ['APPROVED', 'AWAITING_APPROVAL'].includes(tx.row(id)?.state ?? 'CANCELLED')),
    )
    .reduce((sum, { content }) => sum + content.amountMinor, 0n);
}

/** The last rows that ended, the latest first, since the batch began or was let go on. */
function lastEnded(tx: Tx, { rows, resumedAt, beganAt }: Batch): { reason: string | null }[] {
  return rows
    .flatMap(({ refused, id, n }) => {
      const row = tx.row(id);
      const at = refused?.at ?? row?.endedAt ?? null;
      if (at === null || at <= (resumedAt ?? beganAt)) return [];
      const failed = row !== null && ['REJECTED', 'FAILED'].includes(row.state);
      const reason = refused?.code ?? (failed ? (row.reasonCode ?? row.state) : null);
      return [{ at, n, reason }];
    })
    .toSorted((a, b) => b.at - a.at || b.n - a.n)
    .slice(0, 5);
}

export function pauseBatch(tx: Tx, id: string): void {
  const batch = running(tx, id);
  if (batch.hold === null) tx.setBatch({ ...batch, hold: 'person' });
}

export function resumeBatch(tx: Tx, id: string): void {
  const batch = running(tx, id);
  if (batch.hold === null) return;
  if (batch.hold === 'restored') throw new No('batch_restored');
  tx.setBatch({ ...batch, hold: null, resumedAt: tx.now });
  for (const row of batch.rows) {
    const made = row.made ? tx.row(row.id) : null;
    if (made?.state === 'APPROVED' && made.sends === 0 && (made.nextAt ?? 0) > tx.now)
      tx.update(made.id, { nextAt: tx.now });
  }
}

/** What is ready is cancelled afterwards, intent by intent. */
export function stopBatch(tx: Tx, id: string): void {
  tx.setBatch({ ...running(tx, id), stopped: true });
}

function running(tx: Tx, id: string): Batch {
  const batch = tx.batch(id);
  if (batch === null) throw new No('not_found');
  if (batch.stopped) throw new No('batch_over');
  return batch;
}

/** The rows that provably were not paid, for a batch of their own; once for each batch. */
export function retryRows(tx: Tx, id: string): BatchRow[] {
  const batch = tx.batch(id);
  if (batch === null) throw new No('not_found');
  if (!batch.fed && !batch.stopped) throw new No('batch_runs');
  if (tx.batches().some(({ parent }) => parent === id)) throw new No('batch_retried');
  return batch.rows.filter((row) => {
    if (row.refused !== null || !row.made) return true;
    const made = tx.row(row.id);
    if (made === null) return false;
    return (
      UNPAID.includes(made.state) || (made.state === 'COMPLETED' && made.returned === 'CONFIRMED')
    );
  });
}
