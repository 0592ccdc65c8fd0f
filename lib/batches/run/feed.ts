import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { IBAN_COOLDOWN_MS } from '#lib/movements/kinds.ts';
import { parentMayBePaidAgain, refreshParent } from '#lib/movements/parent.ts';
import { lockSubmissions, storeIntent } from '#lib/movements/submit.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { readFeeEstimate } from '#lib/payouts/facts.ts';
import { readTransferFee } from '#lib/transfers/facts.ts';
import { askPerson } from '#lib/transfers/check-person.ts';
import { readKeyText } from '#lib/values/person-key.ts';
import { freshWallet, paymentTypes } from '#lib/wallets/ask.ts';
import { handOnApprovals } from '../approval/hand-on.ts';
import type { People } from '../draft/complete-row.ts';
import { BANK_ROW, PERSON_ROW, rowKindOf } from '../row-content.ts';
import type { RowKind } from '../row-content.ts';
import { IS_OLDER_THAN_RECOVERY_R } from '../approval/waiting.ts';
import { CHUNK, holdOf, WINDOW } from './hold-rules.ts';
import type { Ended, Held } from './hold-rules.ts';
import { STORED_ROW, storedRowOf } from '../stored-row.ts';
import type { RawStoredRow, StoredRow } from '../stored-row.ts';
import { judgeRow, refusedBy } from './judge-row.ts';
import type { Asked, RowVerdict } from './judge-row.ts';

/**
 * Makes movements of the rows of running batches, a few at a time and in the order of the file
 * (docs/decisions/0042). Any web process may do it: the batch's row is locked meanwhile.
 */

/** The wait while all movements that a batch may have are ready or being sent. */
const FULL_MS = 1_000;
/** The wait for a provider that does not report the balance or the payment types. */
const PROVIDER_MS = 15_000;

/**
 * The people of whom the provider last said nothing, whom it was asked about longest ago first. Each
 * process keeps its own; one that does not know them asks about them once more.
 */
const silent = new Set<string>();
const SILENT_MAX = 10_000;

/** Whether a row `w`, with its movement `m` if there is one, has not left and may still. */
const IS_UNSENT_W = sql`(w.refused_at IS NULL
  AND (m.id IS NULL OR m.state IN ('APPROVED', 'AWAITING_APPROVAL')))`;
/** The account or wallet that a row `w` pays. */
const PAYEE_W = sql`coalesce(w.to_wallet, w.iban)`;

/** The person who submitted the batch, as stored then; the role is that of now. */
type Submitter = Pick<Person, 'personId' | 'sessionId' | 'ip'>;
type Run = {
  batchId: string;
  wallet: string;
  makerId: string;
  submittedBy: Submitter;
  approvalsNeeded: number;
};

/** Makes the next movements of one batch. False: no batch was due. */
export async function feedOneBatch(merchantId: string): Promise<boolean> {
  const run = await inTransaction(merchantId, dueRun);
  if (run === null) return false;
  const next = await inTransaction(merchantId, async (tx) => ({
    maker: await makerOf(tx, merchantId, run),
    rows: await nextRows(tx, run, CHUNK),
  }));
  const asked = await ask(run.wallet, next.rows);
  await refreshParents(next);
  await inTransaction(merchantId, async (tx) => {
    await lockSubmissions(tx, merchantId);
    if ((await dueRun(tx, run.batchId)) === null) return;
    const hold = await readHold(tx, run, asked);
    if (hold !== null) return holdRun(tx, merchantId, run, hold);
    if (asked === null) return rest(tx, run, PROVIDER_MS, 'provider');
    const maker = await makerOf(tx, merchantId, run);
    if (maker === null) return holdRun(tx, merchantId, run, { hold: 'maker_gone' });
    const found = await nextRows(tx, run, CHUNK);
    // A row whose turn has come meanwhile waits for the next time, when its parent is read first.
    const prepared = new Set(next.rows.map(({ movementId }) => movementId));
    const rows = found.filter(
      ({ person, retryOf, movementId }) =>
        (person === undefined || asked.people.has(person.foundBy)) &&
        (retryOf === null || prepared.has(movementId)),
    );
    if (rows.length < found.length && rows.length === 0)
      return rest(tx, run, PROVIDER_MS, 'provider');
    for (const row of rows) await feedRow(tx, maker, run, row, asked);
    await rest(tx, run, rows.length === 0 ? FULL_MS : 0, null);
    if (rows.length > 0) await publish(tx, { merchantId }, { kind: 'batch', id: run.batchId });
  });
  return true;
}

/** Locks a batch that is due: the one named, or the one that waits longest. */
async function dueRun(tx: Tx, batchId: string | null = null): Promise<Run | null> {
  const [row] = await tx.$queryRaw<
    (Row<
      'batch_runs',
      'batch_id' | 'submitted_by' | 'approvals_needed',
      { submitted_by: Submitter }
    > &
      Row<'batches', 'wallet' | 'maker_id'>)[]
  >`
    SELECT r.batch_id, r.submitted_by, r.approvals_needed, b.wallet, b.maker_id
    FROM batch_runs r JOIN batches b ON b.id = r.batch_id
    WHERE r.fed_at IS NULL AND r.hold IS NULL AND r.stopped_at IS NULL AND r.approved_at IS NOT NULL
      AND r.feed_at <= clock_timestamp() AND r.batch_id = coalesce(${batchId}::uuid, r.batch_id)
    ORDER BY r.feed_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED`;
  return row
    ? {
        batchId: row.batch_id,
        wallet: row.wallet,
        makerId: row.maker_id,
        submittedBy: row.submitted_by,
        approvalsNeeded: row.approvals_needed,
      }
    : null;
}

/** Null while the provider does not report the balance or the payment types. */
async function ask(number: string, rows: readonly StoredRow[]): Promise<Asked | null> {
  const [balance, types] = await Promise.all([freshWallet(number), paymentTypes('tr')]);
  if (balance === null || balance.availableMinor === null || types.length === 0) return null;
  const people = await askPeople(rows, balance.currency);
  return { balance: { ...balance, availableMinor: balance.availableMinor }, types, people };
}

/** Whose wallets the next rows pay, asked anew; those of whom the provider says nothing are left out. */
async function askPeople(rows: readonly StoredRow[], currency: string): Promise<People> {
  const keys = [...new Set(rows.flatMap(({ person }) => person?.foundBy ?? []))];
  const answers = await Promise.all(
    keys.map(async (text) => {
      const key = readKeyText(text);
      return [text, key === null ? null : await askPerson(key, currency)] as const;
    }),
  );
  const people = new Map(
    answers.flatMap(([text, found]) =>
      found === null || found.kind === 'unchecked' ? [] : [[text, found] as const],
    ),
  );
  for (const key of keys) {
    silent.delete(key);
    if (!people.has(key)) silent.add(key);
  }
  for (const old of silent) if (silent.size > SILENT_MAX) silent.delete(old);
  return people;
}

/** The movements that the next rows pay again are read at the provider first. */
async function refreshParents({
  maker,
  rows,
}: {
  maker: Person | null;
  rows: readonly StoredRow[];
}): Promise<void> {
  if (maker === null) return;
  for (const { movementId: id, retryOf: parentId } of rows)
    // A parent that is not fresh refuses its row below.
    if (parentId !== null)
      await refreshParent(maker, { id, parentId }).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      });
}

async function makerOf(
  tx: Tx,
  merchantId: string,
  { makerId, submittedBy }: Run,
): Promise<Person | null> {
  const [row] = await tx.$queryRaw<Row<'people', 'name' | 'email' | 'role', { role: Role }>[]>`
    SELECT p.name, p.email, p.role FROM people p
    WHERE p.id = ${makerId}::uuid AND NOT ${IS_DISABLED_P}`;
  if (!row || !may(row.role, 'payout.prepare')) return null;
  const { sessionId, ip } = submittedBy;
  return {
    kind: 'person',
    merchantId,
    personId: makerId,
    standsInFor: null,
    sessionId,
    ip,
    ...row,
  };
}

/** Why the batch may not go on by itself; null when it may. */
async function readHold(tx: Tx, run: Run, asked: Asked | null): Promise<Held | null> {
  const { batchId } = run;
  const [found] = await tx.$queryRaw<[{ restored: boolean; unsent: string; ended: Ended[] }]>`
    SELECT ${IS_OLDER_THAN_RECOVERY_R} AS restored,
      (SELECT coalesce(sum(w.amount_minor), 0)::text FROM batch_rows w
        LEFT JOIN movements m ON m.id = w.movement_id
        WHERE w.batch_id = r.batch_id AND ${IS_UNSENT_W}) AS unsent,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('reason', e.reason)), '[]') FROM (
        SELECT coalesce(w.refused, CASE WHEN m.state IN ('REJECTED', 'FAILED')
            THEN coalesce(m.reason_code, m.state) END) AS reason
        FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id
        WHERE w.batch_id = r.batch_id AND coalesce(w.refused_at, m.ended_at) > coalesce(r.resumed_at, r.began_at)
        ORDER BY coalesce(w.refused_at, m.ended_at) DESC, w.n DESC LIMIT 5) e) AS ended
    FROM batch_runs r WHERE r.batch_id = ${batchId}::uuid`;
  return holdOf({
    restored: found.restored,
    lastEnded: found.ended,
    availableMinor: asked?.balance.availableMinor ?? null,
    unsentMinor: BigInt(found.unsent),
    feesMinor: await feesOfRest(tx, run),
  });
}

/**
 * The most that the rest is expected to cost, by the fees of the wallet's latest payments. Rows whose
 * maker confirmed that a fee may not fit are not counted.
 */
async function feesOfRest(tx: Tx, { batchId, wallet }: Run): Promise<bigint> {
  const rest = await tx.$queryRaw<{ kind: RowKind; count: bigint }[]>`
    SELECT w.kind, count(*) AS count FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id
    WHERE w.batch_id = ${batchId}::uuid AND ${IS_UNSENT_W}
      AND NOT w.overrides @> '["fee_may_not_fit"]'
    GROUP BY w.kind`;
  let fees = 0n;
  for (const { kind, count } of rest)
    fees += count * ((await READ_FEE[kind](tx, wallet))?.max ?? 0n);
  return fees;
}

const READ_FEE: Readonly<Record<RowKind, typeof readFeeEstimate>> = {
  [BANK_ROW]: readFeeEstimate,
  [PERSON_ROW]: (tx, wallet) => readTransferFee(tx, PERSON_ROW, wallet),
};

async function holdRun(
  tx: Tx,
  merchantId: string,
  { batchId }: Run,
  { hold, detail = {} }: Held,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE batch_runs SET hold = ${hold}, hold_detail = ${JSON.stringify(detail)}::jsonb,
      held_at = clock_timestamp(), held_by = NULL, waits_for = NULL
    WHERE batch_id = ${batchId}::uuid`;
  await publish(tx, { merchantId }, { kind: 'batch', id: batchId });
  const by = { kind: 'worker', merchantId } as const;
  await audit(tx, by, 'batch.held', `batch:${batchId}`, { hold, ...detail });
}

/**
 * The next rows: the first of each payee, whose IBAN has been paid nothing for a minute and who has no
 * payment of this batch that is ready or being sent. Rows to people of whom the provider last said
 * nothing stand behind all others, so that they keep none back.
 */
async function nextRows(tx: Tx, { batchId }: Run, most: number): Promise<StoredRow[]> {
  const rows = await tx.$queryRaw<RawStoredRow[]>`
    WITH waiting AS (
      SELECT w.*, row_number() OVER (PARTITION BY ${PAYEE_W} ORDER BY w.n) AS nth FROM batch_rows w
      WHERE w.batch_id = ${batchId}::uuid AND w.made_at IS NULL AND w.refused_at IS NULL),
    under_way AS (
      SELECT ${PAYEE_W} AS payee FROM batch_rows w JOIN movements m ON m.id = w.movement_id
      WHERE w.batch_id = ${batchId}::uuid AND m.state IN ('APPROVED', 'SUBMITTING'))
    SELECT ${STORED_ROW.of('w')} FROM waiting w
      LEFT JOIN unnest(${[...silent]}::text[]) WITH ORDINALITY s(person, nth) ON s.person = w.found_by
    WHERE w.nth = 1 AND ${PAYEE_W} NOT IN (SELECT payee FROM under_way)
      AND NOT EXISTS (SELECT FROM iban_gates g WHERE g.iban = w.iban AND g.last_send_at
        > clock_timestamp() - make_interval(secs => ${IBAN_COOLDOWN_MS / 1000}))
    ORDER BY s.nth NULLS FIRST, w.n
    LIMIT greatest(0, least(${most}::bigint, ${WINDOW}::bigint - (SELECT count(*) FROM under_way)))`;
  return rows.map(storedRowOf);
}

/** Judges one row by the facts of now, and makes its movement or marks it as refused. */
async function feedRow(
  tx: Tx,
  maker: Person,
  run: Run,
  row: StoredRow,
  asked: Asked,
): Promise<void> {
  const judged = await judgeRow(tx, run, row, asked);
  const verdict = judged.kind === 'new' ? ((await parentRefusal(tx, row)) ?? judged) : judged;
  if (verdict.kind === 'refused') {
    await tx.$executeRaw`UPDATE batch_rows SET refused = ${verdict.code},
        refused_params = ${JSON.stringify(verdict.params)}::jsonb,
        refused_at = clock_timestamp()
      WHERE batch_id = ${run.batchId}::uuid AND n = ${row.number}`;
    return;
  }
  const { movementId: id, extId, overrides, overrideReason, retryOf } = row;
  const intent = { id, extId, kind: rowKindOf(row), overrides, overrideReason, retryOf };
  const waiting = await storeIntent(tx, maker, {
    ...intent,
    leastApprovals: run.approvalsNeeded,
    content: verdict.content,
  });
  if (waiting !== null) await handOnApprovals(tx, maker, run.batchId, waiting);
  await tx.$executeRaw`UPDATE batch_rows SET made_at = clock_timestamp()
    WHERE batch_id = ${run.batchId}::uuid AND n = ${row.number}`;
}

/** Null where the row pays nothing again, or may. */
async function parentRefusal(tx: Tx, row: StoredRow): Promise<RowVerdict | null> {
  if (row.retryOf === null) return null;
  return parentMayBePaidAgain(tx, row.retryOf, rowKindOf(row)).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      // A row that paid an IBAN and now pays a wallet, or the reverse.
      if (error.code === 'not_found') return refusedBy('parent_other_kind');
      return refusedBy(error.code, error.params);
    },
  );
}

/**
 * The next time to look. It is done when every row is a movement or refused and none of the
 * movements is ready or being sent; one that waits for approval may wait for a day.
 */
async function rest(
  tx: Tx,
  { batchId }: Run,
  ms: number,
  waitsFor: 'provider' | null,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE batch_runs r SET feed_at = clock_timestamp() + make_interval(secs => ${ms / 1000}),
      waits_for = ${waitsFor},
      fed_at = CASE WHEN EXISTS (
        SELECT FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id
        WHERE w.batch_id = r.batch_id AND w.refused_at IS NULL
          AND (w.made_at IS NULL OR m.state IN ('APPROVED', 'SUBMITTING')))
        THEN NULL ELSE clock_timestamp() END
    WHERE batch_id = ${batchId}::uuid`;
}
