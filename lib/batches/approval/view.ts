import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { HAS_LAPSED_A } from '#lib/access/disabled-login.ts';
import { readApprovers } from '#lib/approvals/approvers.ts';
import { eligible, lacksPeople } from '#lib/approvals/eligible.ts';
import { barredOf } from '#lib/approvals/list.ts';
import type { Barred, ShownReason } from '#lib/approvals/list.ts';
import type { Decided } from '#lib/movement-views/decided.ts';
import {
  approvalsCover,
  approvalsNeeded,
  approvedFor,
  countsFor,
} from '#lib/movements/approvals-cover.ts';
import { APPROVAL_LIFE_MS } from '#lib/movements/schedule.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { strictestStepUp } from '#lib/step-up/method.ts';
import type { StepUpAsked } from '#lib/step-up/method.ts';
import { toDecimal } from '#lib/values/money.ts';
import { readBatch, tableOf } from '../draft/row.ts';
import { isFilledByRegister } from '../draft/complete-row.ts';
import { isRepaired } from '../draft/summary.ts';
import { judgeNow } from './approve.ts';
import type { FrozenRow } from './frozen.ts';
import { readPayees } from './payees.ts';
import { readWaitingBatch } from './waiting.ts';
import type { WaitingBatch } from './waiting.ts';

/** What an approver looks at first. `ticked`: the maker confirmed a warning with a reason. */
export const BATCH_FLAGS = ['largest', 'changed', 'first', 'ticked', 'repaired'] as const;
export type BatchFlag = (typeof BATCH_FLAGS)[number];

/** How many of the largest rows are shown first. */
const LARGEST = 5;

/** The approvals of a submitted batch. JSON-safe: amounts are decimal text, times ISO. */
export type BatchApproval = {
  contentHash: string;
  waits: boolean;
  expiresAt: string;
  needed: number;
  given: Decided['given'];
  /** How many of the given approvals count. */
  counting: number;
  isComplete: boolean;
  reasons: ShownReason[];
  stepUp: StepUpAsked;
  mayApprove: string[];
  lacksPeople: boolean;
  /** Why this viewer may not approve it; null when they may. */
  barred: Barred | null;
  /** The numbers of the rows, the largest first, the others in the order of the file. */
  flags: Record<BatchFlag, number[]>;
};

/** Null where the batch does not exist, or needed no approval. */
export async function viewBatchApproval(actor: Person, id: string): Promise<BatchApproval | null> {
  assertMay(actor, 'movement.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const batch = await readWaitingBatch(tx, actor, id, { locks: false });
    if (batch === null || batch.approvalsNeeded === 0) return null;
    const people = await readApprovers(tx);
    const approved = { movement: batch, ...batch };
    const isComplete = batch.waits && approvalsCover(approved);
    const given = [...approvedFor(approved)];
    const standing = {
      needed: approvalsNeeded(batch, batch.requirements),
      ownersOnly: !isComplete && batch.requirements.some((one) => one.ownersOnly),
      makers: batch.makers,
      given,
      before: isComplete ? [] : batch.approvals.flatMap((one) => [one.personId, countsFor(one)]),
    };
    const hasGiven = batch.approvals.some((one) => one.personId === actor.personId);
    return {
      contentHash: batch.contentHash,
      waits: batch.waits,
      expiresAt: new Date(batch.since + APPROVAL_LIFE_MS).toISOString(),
      needed: standing.needed,
      given: await readGiven(tx, id),
      counting: given.length,
      isComplete,
      reasons: batch.reasons.map(({ fromMinor, ...reason }) => ({
        ...reason,
        from: toDecimal(fromMinor),
      })),
      stepUp: batch.waits && !isComplete ? await stepUpNow(tx, batch) : 'none',
      mayApprove: eligible(people, standing).map(({ name }) => name),
      lacksPeople: !isComplete && lacksPeople(people, standing),
      barred: hasGiven && !isComplete ? 'given' : barredOf(actor, people, standing),
      flags: await readFlags(tx, batch),
    };
  });
}

async function stepUpNow(tx: Tx, batch: WaitingBatch): Promise<StepUpAsked> {
  const { stepUp } = await judgeNow(tx, batch);
  return strictestStepUp([stepUp, ...batch.requirements.map((one) => one.stepUp)]);
}

async function readFlags(tx: Tx, batch: WaitingBatch): Promise<Record<BatchFlag, number[]>> {
  const { rows } = batch;
  const { isFirst, isChanged } = await readPayees(tx, rows);
  const largest = rows.toSorted((a, b) => (a.amountMinor < b.amountMinor ? 1 : -1));
  const stored = await readBatch(tx, batch.id);
  const read = new Map(
    (stored === null ? [] : tableOf(stored).rows).map((row) => [row.number, row]),
  );
  const wasRepaired = (row: FrozenRow): boolean => {
    const found = read.get(row.number);
    return found !== undefined && (isRepaired(found) || isFilledByRegister(found.cells, row));
  };
  const numbers = (some: typeof rows): number[] => some.map(({ number }) => number);
  return {
    largest: numbers(largest.slice(0, LARGEST)),
    changed: numbers(rows.filter(isChanged)),
    first: numbers(rows.filter(isFirst)),
    ticked: numbers(rows.filter(({ overrideReason }) => overrideReason !== null)),
    repaired: numbers(rows.filter(wasRepaired)),
  };
}

async function readGiven(tx: Tx, id: string): Promise<Decided['given']> {
  const rows = await tx.$queryRaw<
    (Row<'batch_approvals', 'created_at' | 'override_reason'> & {
      by: string;
      of: string | null;
      lapsed: boolean;
    })[]
  >`SELECT p.name AS by, o.name AS of, a.created_at, a.override_reason,
      r.fed_at IS NULL AND ${HAS_LAPSED_A} AS lapsed
    FROM batch_approvals a JOIN batch_runs r ON r.batch_id = a.batch_id
      JOIN people p ON p.id = a.person_id LEFT JOIN people o ON o.id = a.deputy_of
    WHERE a.batch_id = ${id}::uuid ORDER BY a.created_at`;
  return rows.map((row) => ({
    by: row.by,
    of: row.of,
    at: row.created_at.toISOString(),
    overrideReason: row.override_reason,
    lapsed: row.lapsed,
  }));
}
