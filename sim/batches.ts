import type { MovementContent } from '#lib/movements/content-text.ts';
import { isFreshlyRead } from '#lib/movements/pay-again.ts';
import { IBAN_COOLDOWN_MS } from '#lib/movements/kinds.ts';
import { CHUNK, holdOf, WINDOW } from '#lib/batches/run/hold-rules.ts';
import type { Hold } from '#lib/batches/run/hold-rules.ts';
import { isPersonAsApproved } from '#lib/batches/run/person-rules.ts';
import { rowsOfRetry } from '#lib/batches/run/retry-rules.ts';
import { rowKindOf } from '#lib/batches/row-content.ts';
import type { PersonFound } from '#lib/transfers/person.ts';
import { handOnApprovals, hasExpired, newApproval } from './batch-approving.ts';
import type { BatchApproval } from './batch-approving.ts';
import { paidOf, payeeIn } from './batch-content.ts';
import { freshenParent, No, submit } from './desk.ts';
import type { PersonName } from './governance.ts';
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
  readonly approval: BatchApproval;
};

const READY = ['APPROVED', 'SUBMITTING'];

export function submitBatch(
  tx: Tx,
  { id, maker, parent, rows }: Pick<Batch, 'id' | 'maker' | 'parent' | 'rows'>,
): void {
  if (tx.batch(id) !== null) return;
  // The product stores a retry as a draft by the press that makes it, so that a second one is refused
  // there; drafts are not stored here.
  if (parent !== null && tx.batches().some((other) => other.parent === parent))
    throw new No('batch_retried');
  const run = { beganAt: tx.now, resumedAt: null, hold: null, stopped: false, fed: false };
  tx.setBatch({ id, maker, parent, rows, ...run, approval: newApproval(tx, { maker, rows }) });
}

/** `parents`: the intents that the new ones pay again. */
type Fed = { parents: string[]; made: number; held: boolean };
const NOTHING: Fed = { parents: [], made: 0, held: false };

/**
 * What the provider said before the transaction. `available`: null when it did not report the balance.
 * `people`: whom the numbers lead to; those of whom it said nothing are absent.
 */
export type Asked = { available: bigint | null; people: ReadonlyMap<string, PersonFound> };

/** Makes intents of the next rows. */
export function feed(tx: Tx, id: string, { available, people }: Asked): Fed {
  const batch = tx.batch(id);
  if (batch === null || !isDue(batch)) return NOTHING;
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
  if (tx.governance?.people[batch.maker as PersonName].disabled === true) {
    tx.setBatch({ ...batch, hold: 'maker_gone' });
    return { ...NOTHING, held: true };
  }
  const parents: string[] = [];
  const ready = nextRows(tx, batch).filter(
    ({ content: { foundBy } }) => foundBy === null || people.has(foundBy),
  );
  const next = ready.map((row): BatchRow => {
    const fed = feedRow(tx, batch, row, people.get(row.content.foundBy ?? ''));
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

/** Whether a batch may make intents of its rows. */
export function isDue({ fed, hold, stopped, approval }: Batch): boolean {
  return !fed && hold === null && !stopped && approval.at !== null;
}

/**
 * What has to be asked before the next rows. `isStale`: parents of some have to be read first; their
 * reads are due now. `keys`: the numbers of persons.
 */
export function prepare(tx: Tx, id: string): { isStale: boolean; keys: string[] } {
  const batch = tx.batch(id);
  const next = batch === null ? [] : nextRows(tx, batch);
  const stale = next.flatMap(({ retryOf }) =>
    retryOf !== null && tx.row(retryOf) !== null && !freshenParent(tx, retryOf) ? retryOf : [],
  );
  const keys = next.flatMap(({ content }) => content.foundBy ?? []);
  return { isStale: stale.length > 0, keys: [...new Set(keys)] };
}

function nextRows(tx: Tx, { rows }: Batch): BatchRow[] {
  const underWay = rows.filter(
    ({ made, id }) => made && READY.includes(tx.row(id)?.state ?? 'CANCELLED'),
  );
  const taken = new Set(underWay.map(({ content }) => payeeIn(content)));
  const waiting = rows.filter(({ made, refused }) => !made && refused === null);
  const firsts = waiting.filter(
    ({ content, n }) =>
      waiting.find((one) => payeeIn(one.content) === payeeIn(content))?.n === n &&
      !taken.has(payeeIn(content)) &&
      (tx.gate(content.iban) ?? -Infinity) <= tx.now - IBAN_COOLDOWN_MS,
  );
  return firsts.slice(0, Math.max(0, Math.min(CHUNK, WINDOW - underWay.length)));
}

function feedRow(tx: Tx, batch: Batch, row: BatchRow, person: PersonFound | undefined): BatchRow {
  const { id, extId, need, content, overrides, retryOf } = row;
  const paid = paidOf(row);
  const parent = retryOf === null ? null : tx.row(retryOf);
  const refused = (code: string): BatchRow => ({ ...row, refused: { code, at: tx.now } });
  if (parent !== null && !isFreshlyRead(parent, tx.now, listedSince(tx.recovery, parent)))
    return refused('parent_not_read');
  if (person?.kind === 'found' && !isPersonAsApproved(paid, person.name))
    return refused('person_changed');
  try {
    submit(tx, {
      ...{ id, extId, need, retryOf, kind: rowKindOf(paid), maker: batch.maker, person },
      ...{ content, approvalsNeeded: 0, overrides: [...overrides] },
      besides: new Set(batch.rows.map((one) => one.id)),
      leastApprovals: batch.approval.asked.needed,
    });
    handOnApprovals(tx, batch, row);
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

/**
 * The rows that provably were not paid, for a batch of their own; once for each batch. `leftOut`: the
 * numbers of those that its approver asked to leave out.
 */
export function retryRows(tx: Tx, id: string): { rows: BatchRow[]; leftOut: number[] } {
  const batch = tx.batch(id);
  if (batch === null) throw new No('not_found');
  if (!batch.fed && !batch.stopped && !hasExpired(batch, tx.now)) throw new No('batch_runs');
  if (tx.batches().some(({ parent }) => parent === id)) throw new No('batch_retried');
  const run = batch.rows.map(({ n, made, refused, id: intent }) => {
    const { state, returned, alert } = tx.row(intent) ?? {
      state: null,
      returned: null,
      alert: null,
    };
    return { n, made, refused: refused !== null, state, returned, alert };
  });
  const { unpaid, leftOut } = rowsOfRetry(run, batch.approval.sentBack);
  return { rows: batch.rows.filter(({ n }) => unpaid.includes(n)), leftOut };
}
