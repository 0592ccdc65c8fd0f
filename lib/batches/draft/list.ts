import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { isFinal, STATES } from '#lib/movements/state.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row } from '#lib/runtime/db.ts';
import { pageOf, readPlace } from '#lib/values/keyset.ts';
import type { Paged, Place } from '#lib/values/keyset.ts';
import { RUN_FACTS_R } from '../approval/waiting.ts';
import { phaseOf } from '../run/phase.ts';
import type { RunFacts, RunPhase } from '../run/phase.ts';
import type { BatchFormat, BatchState } from './row.ts';

const PAGE_ROWS = 100;
const NOT_FINAL = STATES.filter((state) => !isFinal(state));

/**
 * A batch of the list. `progress`: how many rows of a submitted batch there are, how many of
 * them are completed, and how many have no outcome yet; null for a draft. `phase`: as on its page. Times ISO.
 */
export type ListedBatch = {
  progress: { rows: number; completed: number; open: number } | null;
  phase: RunPhase | null;
  id: string;
  name: string;
  format: BatchFormat;
  wallet: string;
  state: BatchState;
  maker: string;
  isOwn: boolean;
  /** Made of the rows of another batch: split off as a draft, or those that were not paid. */
  origin: 'part' | 'retry' | null;
  createdAt: string;
  changedAt: string;
};

/**
 * A page of the batches that are not discarded, the latest first; drafts for those who may prepare
 * one.
 */
export async function listBatches(
  actor: Person,
  place: Place | null = null,
): Promise<Paged<ListedBatch> & { now: string }> {
  assertMay(actor, 'movement.read');
  const order = place?.side === 'before' ? sql`ASC` : sql`DESC`;
  const found = await inOne<Listed & Running & { edge: string; now: Date }>(
    actor.merchantId,
    sql`
    SELECT b.id, b.name, b.format, b.wallet, b.state, b.maker_id, p.name AS maker, b.parent_id,
      o.began_at < b.created_at AS is_retry, b.created_at, b.changed_at,
      to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || b.id AS edge,
      clock_timestamp() AS now, ${RUN_FACTS_R}, sums.rows, sums.completed, sums.open
    FROM batches b JOIN people p ON p.id = b.maker_id
      LEFT JOIN batch_runs r ON r.batch_id = b.id
      LEFT JOIN batch_runs o ON o.batch_id = b.parent_id
      LEFT JOIN LATERAL (SELECT count(*)::int AS rows, (count(*) FILTER (WHERE m.state = 'COMPLETED'
          AND m.returned <> 'CONFIRMED'))::int AS completed,
          (count(*) FILTER (WHERE m.state = ANY(${NOT_FINAL}::text[])))::int AS open
        FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id
        WHERE w.batch_id = b.id) sums ON r.batch_id IS NOT NULL
    WHERE (b.state = 'SUBMITTED' OR (b.state = 'DRAFT' AND ${may(actor.role, 'payout.prepare')}))
      AND ${beyond(place)}
    ORDER BY b.created_at ${order}, b.id ${order} LIMIT ${PAGE_ROWS + 1}`,
  );
  const page = pageOf(found, place, PAGE_ROWS, (row) => row.edge);
  return {
    ...page,
    rows: page.rows.map((row) => ({ ...listed(row, actor), ...running(row) })),
    now: (found[0]?.now ?? new Date()).toISOString(),
  };
}

const EDGE =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The place in the list that an address names: `<moment>_<id>` of the row beside it. */
export function readBatchPlace(
  params: Record<string, string | string[] | undefined>,
): Place | null {
  const place = readPlace(params, EDGE);
  return place === null || Number.isNaN(Date.parse(partsOf(place).at)) ? null : place;
}

function partsOf({ edge }: Place): { at: string; id: string } {
  const [, at = '', id = ''] = EDGE.exec(edge) ?? [];
  return { at, id };
}

function beyond(place: Place | null): Prisma.Sql {
  if (place === null) return sql`TRUE`;
  const { at, id } = partsOf(place);
  const there = sql`(${at}::timestamptz, ${id}::uuid)`;
  return place.side === 'before'
    ? sql`(b.created_at, b.id) > ${there}`
    : sql`(b.created_at, b.id) < ${there}`;
}

/**
 * Another batch of the same file that is not discarded, the latest first: the file was uploaded
 * twice. A batch that this one was split off, or that was split off from it, is none.
 */
export async function batchOfSameFile(actor: Person, id: string): Promise<ListedBatch | null> {
  assertMay(actor, 'payout.prepare');
  const [row] = await inOne<Omit<Listed, 'is_retry'>>(
    actor.merchantId,
    sql`
    WITH RECURSIVE up AS (
      SELECT id, parent_id, file_hash FROM batches WHERE id = ${id}::uuid
      UNION SELECT b.id, b.parent_id, b.file_hash FROM batches b JOIN up ON b.id = up.parent_id)
    SELECT b.id, b.name, b.format, b.wallet, b.state, b.maker_id, p.name AS maker, b.parent_id,
      b.created_at, b.changed_at
    FROM batches b JOIN people p ON p.id = b.maker_id
    WHERE b.file_hash IN (SELECT file_hash FROM up) AND b.parent_id IS NULL
      AND b.state <> 'DISCARDED' AND b.id NOT IN (SELECT id FROM up)
    ORDER BY b.created_at DESC LIMIT 1`,
  );
  return row === undefined ? null : listed({ ...row, is_retry: null }, actor);
}

/** The columns of the run; null for a draft. */
type Running = RunFacts &
  (NonNullable<ListedBatch['progress']> | { rows: null; completed: null; open: null });

function running({
  rows,
  completed,
  open,
  ...run
}: Running): Pick<ListedBatch, 'progress' | 'phase'> {
  return rows === null
    ? { progress: null, phase: null }
    : { progress: { rows, completed, open }, phase: phaseOf(run) };
}

type Listed = Row<
  'batches',
  | 'id'
  | 'name'
  | 'format'
  | 'wallet'
  | 'state'
  | 'maker_id'
  | 'parent_id'
  | 'created_at'
  | 'changed_at',
  { format: BatchFormat; state: BatchState }
> & {
  maker: string;
  /** Made after the other batch was submitted; null without another batch, or while that is a draft. */
  is_retry: boolean | null;
};

function listed(row: Listed, actor: Person): ListedBatch {
  return {
    id: row.id,
    name: row.name,
    format: row.format,
    wallet: row.wallet,
    state: row.state,
    maker: row.maker,
    isOwn: row.maker_id === actor.personId,
    origin: row.parent_id === null ? null : row.is_retry === true ? 'retry' : 'part',
    progress: null,
    phase: null,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
  };
}
