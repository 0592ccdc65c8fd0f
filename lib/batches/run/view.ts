import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { Alert, Returned, State } from '#lib/movements/state.ts';
import { IBAN_COOLDOWN_MS, kindsWhere } from '#lib/movements/kinds.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { maskIban } from '#lib/values/iban.ts';
import { readKeyText, shownKey } from '#lib/values/person-key.ts';
import { UUID } from '#lib/values/uuid.ts';
import { BATCH_EXPIRED_R, IS_OLDER_THAN_RECOVERY_R, RUN_FACTS_R } from '../approval/waiting.ts';
import type { Hold } from './hold-rules.ts';
import { phaseOf } from './phase.ts';
import { readRetry } from './retry.ts';
import type { RunFacts, RunPhase } from './phase.ts';

/** A submitted batch as its page shows it: the sums by state, and one page of rows. */

/**
 * What the bar and the filter call a row. `in_line`: no movement yet. `under_way`: ready, being
 * sent, or with the bank. `unknown`: also an unpaid end that the record contradicts. `failed`: not
 * paid, though a request of it left. `unsent`: refused by a rule, cancelled, expired, or left over by
 * a stop.
 */
export const ROW_GROUPS = [
  'completed',
  'under_way',
  'unknown',
  'approval',
  'in_line',
  'failed',
  'unsent',
] as const;
export type RowGroup = (typeof ROW_GROUPS)[number];

export type RunView = {
  id: string;
  name: string;
  wallet: string;
  currency: string;
  maker: string;
  /** The name of the API key with which it was made; null when a person made it by hand. */
  apiKey: string | null;
  submittedAt: string;
  phase: RunPhase;
  hold: { why: Hold; by: string | null; at: string; detail: Record<string, string> } | null;
  waitsForProvider: boolean;
  /** `without`: the rows that the approver asks to leave out. */
  sentBack: { by: string; reason: string; without: number[] } | null;
  /** It is older than a recovery: the restored records may have lost payments of it. */
  mayHaveLost: boolean;
  /** How many rows have become movements of the list of payouts. */
  made: number;
  groups: Record<RowGroup, { count: number; amountMinor: bigint }>;
  /** The batch that was made of the rows that were not paid. */
  retriedAs: string | null;
  mayControl: boolean;
};

export type RunRow = {
  number: number;
  movementId: string | null;
  /** The kind of movement that the row is, or becomes. */
  kind: string;
  name: string;
  /** The IBAN; empty where a person's wallet is paid. */
  iban: string;
  /** Whose wallet is paid: the number that found it, and the masked name of its owner. */
  person: { key: string; foundName: string | null } | null;
  amountMinor: bigint;
  description: string;
  /** Why the maker confirmed the row's warnings: a code or the typed words; null without warnings. */
  overrideReason: string | null;
  state: { state: State; returned: Returned; alert: Alert | null } | null;
  reasonCode: string | null;
  /** The provider's own words, as received. */
  reasonText: string | null;
  refused: string | null;
  /** In milliseconds: the row waits for the payment to the same IBAN in this row, or outside. */
  wait: { row: number | null; forMs: number } | null;
};

const GROUP = sql`CASE
  WHEN w.refused_at IS NOT NULL THEN 'unsent'
  WHEN w.made_at IS NULL AND (r.stopped_at IS NOT NULL OR ${BATCH_EXPIRED_R}) THEN 'unsent'
  WHEN w.made_at IS NULL AND r.approved_at IS NULL THEN 'approval'
  WHEN w.made_at IS NULL THEN 'in_line'
  WHEN m.state = 'COMPLETED' AND m.returned <> 'CONFIRMED' THEN 'completed'
  WHEN m.alert = 'contradiction' AND (m.returned = 'CONFIRMED'
    OR m.state IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED')) THEN 'unknown'
  WHEN m.state IN ('REJECTED', 'FAILED') OR m.returned = 'CONFIRMED' THEN 'failed'
  WHEN m.state IN ('CANCELLED', 'EXPIRED') THEN CASE WHEN m.iban_waits > 0 THEN 'failed' ELSE 'unsent' END
  WHEN m.state = 'UNKNOWN' THEN 'unknown'
  WHEN m.state = 'AWAITING_APPROVAL' THEN 'approval'
  ELSE 'under_way' END`;

/** The names of people, and how many rows are payouts. */
type Beside = {
  restored: boolean;
  maker: string;
  api_key: string | null;
  holder: string | null;
  stopper: string | null;
  made: number;
};

/** Null where the merchant has no submitted batch with this id. */
export async function viewRun(actor: Person, id: string): Promise<RunView | null> {
  assertMay(actor, 'movement.read');
  if (!UUID.test(id)) return null;
  return inTransaction(actor.merchantId, async (tx) => {
    const [run] = await tx.$queryRaw<
      (Row<'batches', 'name' | 'wallet' | 'currency'> &
        Row<
          'batch_runs',
          | 'began_at'
          | 'hold'
          | 'hold_detail'
          | 'held_at'
          | 'waits_for'
          | 'sent_back_reason'
          | 'sent_back_rows',
          {
            hold: Hold | null;
            hold_detail: Record<string, string> | null;
            sent_back_rows: number[] | null;
          }
        > &
        RunFacts &
        Beside)[]
    >`
      SELECT b.name, b.wallet, b.currency, p.name AS maker, k.name AS api_key,
        h.name AS holder, s.name AS stopper,
        r.began_at, r.hold, r.hold_detail, r.held_at, r.waits_for, r.sent_back_reason,
        r.sent_back_rows, ${RUN_FACTS_R},
        ${IS_OLDER_THAN_RECOVERY_R} AS restored,
        (SELECT count(*)::int FROM batch_rows w
          WHERE w.batch_id = r.batch_id AND w.made_at IS NOT NULL
            AND w.kind = ANY(${IN_PAYOUTS}::text[])) AS made
      FROM batch_runs r JOIN batches b ON b.id = r.batch_id JOIN people p ON p.id = b.maker_id
        LEFT JOIN api_intents i ON i.subject_id = b.id LEFT JOIN api_keys k ON k.id = i.api_key_id
        LEFT JOIN people h ON h.id = r.held_by LEFT JOIN people s ON s.id = r.stopped_by
      WHERE r.batch_id = ${id}::uuid`;
    if (!run) return null;
    const groups = await readGroups(tx, id);
    const { hold, held_at: heldAt, sent_back_reason: reason } = run;
    return {
      id,
      name: run.name,
      wallet: run.wallet,
      currency: run.currency,
      maker: run.maker,
      apiKey: run.api_key,
      submittedAt: run.began_at.toISOString(),
      phase: phaseOf(run),
      sentBack:
        reason === null
          ? null
          : { by: run.stopper ?? '', reason, without: run.sent_back_rows ?? [] },
      mayHaveLost: run.restored,
      hold:
        hold === null || heldAt === null
          ? null
          : { why: hold, by: run.holder, at: heldAt.toISOString(), detail: run.hold_detail ?? {} },
      waitsForProvider: run.waits_for === 'provider',
      made: run.made,
      groups,
      retriedAs: await readRetry(tx, id, run.began_at),
      mayControl: may(actor.role, 'payout.prepare'),
    };
  });
}

async function readGroups(tx: Tx, id: string): Promise<RunView['groups']> {
  const sums = await tx.$queryRaw<{ part: RowGroup; count: number; amount: string }[]>`
    SELECT ${GROUP} AS part, count(*)::int AS count, sum(w.amount_minor)::text AS amount
    FROM batch_rows w JOIN batch_runs r ON r.batch_id = w.batch_id
      LEFT JOIN movements m ON m.id = w.movement_id
    WHERE w.batch_id = ${id}::uuid GROUP BY 1`;
  return Object.fromEntries(
    ROW_GROUPS.map((part) => {
      const found = sums.find((one) => one.part === part);
      return [part, { count: found?.count ?? 0, amountMinor: BigInt(found?.amount ?? 0) }];
    }),
  ) as RunView['groups'];
}

/**
 * One page of a batch's rows, in the order of the file; of one group where `group` is given, and of
 * these numbers where `only` is.
 */
export async function readRunRows(
  actor: Person,
  id: string,
  {
    group,
    only,
    after,
    most,
  }: { group: RowGroup | null; only: readonly number[] | null; after: number; most: number },
): Promise<RunRow[]> {
  assertMay(actor, 'movement.read');
  const rows = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<RawRow[]>`
      WITH waiting AS (
        SELECT w.n, lag(w.n) OVER same AS before,
          row_number() OVER same AS nth, g.last_send_at AS last
        FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id
          LEFT JOIN iban_gates g ON g.iban = w.iban
        WHERE w.batch_id = ${id}::uuid AND w.refused_at IS NULL AND w.kind = ANY(${PACED}::text[])
          AND (w.made_at IS NULL OR m.state IN ('APPROVED', 'SUBMITTING'))
        WINDOW same AS (PARTITION BY w.iban ORDER BY w.n))
      SELECT w.n, w.kind, w.name, w.iban, w.found_by, w.found_name, w.amount_minor, w.description,
        w.override_reason, w.refused,
        w.made_at, w.movement_id, m.state, m.returned, m.alert, m.reason_code, m.reason_text, q.before,
        CASE WHEN q.n IS NOT NULL THEN ceil(extract(epoch FROM greatest(coalesce(q.last, '-infinity') + make_interval(
            secs => ${IBAN_COOLDOWN_MS / 1000}), clock_timestamp())
          + make_interval(secs => ${IBAN_COOLDOWN_MS / 1000} * (q.nth - 1))
          - clock_timestamp()) * 1000)::bigint END AS wait_ms
      FROM batch_rows w JOIN batch_runs r ON r.batch_id = w.batch_id
        LEFT JOIN movements m ON m.id = w.movement_id LEFT JOIN waiting q ON q.n = w.n
      WHERE w.batch_id = ${id}::uuid AND w.n > ${after}
        AND (${group}::text IS NULL OR ${GROUP} = ${group})
        AND (${only === null} OR w.n = ANY(${only ?? []}::int[]))
      ORDER BY w.n LIMIT ${most}`,
  );
  const isWhole = may(actor.role, 'payee.read');
  return rows.map((row) => shownRow(row, isWhole));
}

const IN_PAYOUTS = kindsWhere(({ list }) => list === 'payouts');
/** The kinds that one account takes once a minute. */
const PACED = kindsWhere(({ capabilities }) => capabilities.ibanCooldownMs !== null);

type RawRow = Row<
  'batch_rows',
  | 'n'
  | 'kind'
  | 'name'
  | 'iban'
  | 'found_by'
  | 'found_name'
  | 'amount_minor'
  | 'description'
  | 'override_reason'
  | 'refused'
  | 'made_at'
  | 'movement_id'
> & {
  state: State | null;
  returned: Returned | null;
  alert: Alert | null;
  reason_code: string | null;
  reason_text: string | null;
  before: number | null;
  wait_ms: bigint | null;
};

function shownRow(row: RawRow, isWhole: boolean): RunRow {
  const key = readKeyText(row.found_by);
  const isWaiting = row.made_at === null && row.refused === null && row.wait_ms !== null;
  const forMs = Number(row.wait_ms ?? 0n);
  return {
    number: row.n,
    movementId: row.state === null ? null : row.movement_id,
    kind: row.kind,
    name: row.name,
    iban: row.iban === '' || isWhole ? row.iban : maskIban(row.iban),
    person: key && { key: shownKey(key, isWhole), foundName: row.found_name },
    amountMinor: row.amount_minor,
    description: row.description,
    overrideReason: row.override_reason,
    state:
      row.state === null
        ? null
        : { state: row.state, returned: row.returned ?? 'NONE', alert: row.alert },
    reasonCode: row.reason_code,
    reasonText: row.reason_text,
    refused: row.refused,
    wait: isWaiting && forMs > 0 ? { row: row.before, forMs } : null,
  };
}
