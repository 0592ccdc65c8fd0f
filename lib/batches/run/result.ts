import 'server-only';
import { createHash } from 'node:crypto';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { layoutOf } from '#lib/exports/layout.ts';
import type { Frame, Profile } from '#lib/exports/profile.ts';
import type { Cells, Column } from '#lib/exports/source.ts';
import { wholeFile } from '#lib/exports/zip.ts';
import { ENDED_UNPAID, SAYS_UNPAID } from '#lib/movements/state.ts';
import { inTransaction, join } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { mayBeLost } from '#lib/send-control/recovery/compare-journal.ts';
import type { OlderThan } from '#lib/send-control/recovery/compare-journal.ts';
import { OLDER_THAN } from '#lib/send-control/recovery/may-have-left.ts';
import { readBatch, tableOf } from '../draft/row.ts';

/** The file as it was uploaded, with what became of each row beside it. */

/** What the column "state" calls a row that is no movement. */
export const RESULT_STATES = ['IN_LINE', 'REFUSED', 'UNSENT'] as const;

const TEXT_WIDTH = 24;
const OURS: readonly Column[] = [
  { key: 'state', kind: 'code', width: 22 },
  { key: 'sentAt', kind: 'instant', width: 19 },
  { key: 'endedAt', kind: 'instant', width: 19 },
  { key: 'paid', kind: 'minor', width: 14 },
  { key: 'currency', kind: 'text', width: 9 },
  { key: 'kind', kind: 'code', width: 22 },
  { key: 'receiver', kind: 'text', width: 30 },
  { key: 'fee', kind: 'minor', width: 12 },
  { key: 'reference', kind: 'text', width: 24 },
  { key: 'requestId', kind: 'text', width: 24 },
  { key: 'transactionId', kind: 'text', width: 24 },
  { key: 'reason', kind: 'text', width: 40 },
];

/**
 * `frame`: the texts of the file, without those of the uploaded columns. `reasonOf`: the words for
 * a rule's code.
 *
 * @throws Refusal not_allowed, not_found
 */
export async function batchResult(
  actor: Person,
  id: string,
  {
    profile,
    frame,
    reasonOf,
  }: { profile: Profile; frame: Frame; reasonOf: (code: string) => string },
): Promise<{ name: string; type: string; bytes: Buffer }> {
  assertMay(actor, 'export.make');
  assertMay(actor, 'payee.read');
  const { headings, rows, at } = await inTransaction(actor.merchantId, async (tx) => {
    const batch = await readBatch(tx, id);
    if (batch === null || batch.state !== 'SUBMITTED') throw new Refusal('not_found');
    const { table } = tableOf(batch);
    const result = await readRows(tx, id);
    await audit(tx, actor, 'batch.downloaded', `batch:${id}`, { rows: result.length });
    return {
      headings: table.columns.map(({ heading }) => heading.join(' ')),
      rows: result,
      at: new Date(),
    };
  });
  const uploaded = headings.map((_, column): Column => ({
    key: `uploaded${column}`,
    kind: 'text',
    width: TEXT_WIDTH,
  }));
  const words = Object.fromEntries(
    headings.map((heading, column) => [`uploaded${column}`, heading || `${column + 1}`]),
  );
  const layout = layoutOf(profile, [...uploaded, ...OURS], {
    ...frame,
    columns: { ...words, ...frame.columns },
  });
  const lines = rows.map((row) => layout.rows.row(cellsOf(row, headings.length, reasonOf)));
  const text = [layout.rows.head, ...lines, layout.rows.tail].join('');
  const total = {
    askedAt: at.toISOString(),
    rows: rows.length,
    sums: sumsOf(rows),
    entry: layout.rows.name,
    digest: createHash('sha256').update(text).digest('hex'),
  };
  const entries = [...layout.before, { name: layout.rows.name, text }, ...layout.after(total)];
  return { name: layout.fileName, type: layout.type, bytes: wholeFile(entries, at) };
}

type ResultRow = Row<
  'batch_rows',
  'original' | 'refused' | 'currency' | 'kind',
  { original: string[] }
> & {
  receiver: string;
  state: string;
  paid: string | null;
  sent_at: string | null;
  ended_at: string | null;
  fee: string | null;
  ext_id: string | null;
  request_id: string | null;
  transaction_id: string | null;
  reason: string | null;
};

/**
 * Amounts in minor units as digits, times as PostgreSQL prints them in UTC. The state is `UNKNOWN` too
 * where a record contradicts that a row was not paid, or a restore may have lost a send of it.
 */
async function readRows(tx: Tx, id: string): Promise<ResultRow[]> {
  const rows = await tx.$queryRaw<
    (ResultRow & { foreseen: string | null; older_than: OlderThan })[]
  >`
    SELECT w.original, w.refused, w.currency, w.kind,
      concat_ws(' · ', coalesce(w.to_wallet, w.iban), w.found_name) AS receiver,
      CASE WHEN w.refused_at IS NOT NULL THEN 'REFUSED'
        WHEN m.id IS NULL THEN CASE WHEN r.stopped_at IS NULL THEN 'IN_LINE' ELSE 'UNSENT' END
        WHEN m.alert = 'contradiction' AND (m.returned = 'CONFIRMED'
          OR m.state IN (${join(ENDED_UNPAID)})) THEN 'UNKNOWN'
        WHEN m.returned = 'CONFIRMED' THEN 'RETURNED' ELSE m.state END AS state,
      CASE WHEN m.state = 'COMPLETED' AND m.returned <> 'CONFIRMED' THEN w.amount_minor END::text
        AS paid,
      (m.last_send_at AT TIME ZONE 'UTC')::text || '+00' AS sent_at,
      (m.ended_at AT TIME ZONE 'UTC')::text || '+00' AS ended_at,
      CASE WHEN m.alert = 'contradiction' OR m.state NOT IN (${join(ENDED_UNPAID)})
        THEN m.fee_minor END::text AS fee, m.fee_minor::text AS foreseen,
      m.ext_id, m.request_id, m.transaction_id, coalesce(m.reason_text, m.reason_code) AS reason,
      ${OLDER_THAN}
    FROM batch_rows w JOIN batch_runs r ON r.batch_id = w.batch_id
      LEFT JOIN movements m ON m.id = w.movement_id
    WHERE w.batch_id = ${id}::uuid ORDER BY w.n`;
  const unpaid: readonly string[] = SAYS_UNPAID;
  return rows.map((row) =>
    unpaid.includes(row.state) && mayBeLost(row.older_than)
      ? { ...row, state: 'UNKNOWN', fee: row.foreseen }
      : row,
  );
}

function cellsOf(row: ResultRow, width: number, reasonOf: (code: string) => string): Cells {
  const original = Array.from({ length: width }, (_, column) => row.original[column] ?? null);
  return [
    ...original,
    row.state,
    row.sent_at,
    row.ended_at,
    row.paid,
    row.currency,
    row.kind,
    row.receiver,
    row.fee,
    row.ext_id,
    row.request_id,
    row.transaction_id,
    row.refused === null ? row.reason : reasonOf(row.refused),
  ];
}

/** The amounts that were paid and stayed there. */
function sumsOf(rows: readonly ResultRow[]): Record<string, { count: number; minor: string }> {
  const paid = rows.filter((row) => row.paid !== null);
  const [first] = paid;
  if (first === undefined) return {};
  const sum = paid.reduce((total, row) => total + BigInt(row.paid ?? 0), 0n);
  return { [first.currency]: { count: paid.length, minor: sum.toString() } };
}
