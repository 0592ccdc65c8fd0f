import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { columns, inTransaction, sql } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import { IS_ANY_KIND, IS_CARD_BALANCE_PAYOUT, IS_PAYOUT } from '#lib/movements/kind-sql.ts';
import { IS_UNSEEN_OUTCOME } from '#lib/movements/outcome-seen.ts';
import type { Alert, Returned, State } from '#lib/movements/state.ts';

const UNKNOWN_ROWS = 10;
const NEED_ROWS = 10;
const RECENT_ROWS = 8;
/** For how many days an outcome is on the home page; older outcomes are in the list of payouts. */
const OUTCOME_DAYS = 30;

/** A movement in a short list. Amounts are decimal text, times ISO. */
export type MovementLine = {
  id: string;
  kind: string;
  /** The card payment of a card operation; null for every other kind. */
  cardPaymentId: string | null;
  name: string;
  amount: string;
  currency: string;
  state: State;
  returned: Returned;
  alert: Alert | null;
  createdAt: string;
  stateSince: string;
  lastSendAt: string | null;
  /** When the provider is queried next; null when it will not be. */
  nextLookAt: string | null;
  /** Clean "no such record" answers since the last send. */
  notFoundReads: number;
  /** Sends that provably never left. */
  notSentTries: number;
};

export type Overview = {
  /**
   * Movements with an unknown outcome, the oldest first; `totals` counts all of them, one entry per
   * currency.
   */
  unknown: { rows: MovementLine[]; totals: { currency: string; count: number; sum: string }[] };
  /** Movements that need a person, without the unknown ones, the oldest first. */
  needs: { rows: MovementLine[]; count: number };
  /**
   * Rejected, failed and returned movements of the last weeks that nobody has marked as seen or
   * paid again, the oldest first.
   */
  outcomes: { rows: MovementLine[]; count: number };
  /**
   * Movements that are ready to be sent again after a try that did not reach the provider: they
   * wait in the queue, and none of them is in flight.
   */
  queued: { count: number; nextLookAt: string | null };
  /** The latest payouts, from a wallet or the card balance; transfers have a list of their own. */
  recent: MovementLine[];
  now: string;
};

/**
 * The movements on the home page: unknown ones first, then those that need a person, then outcomes
 * that nobody has seen, then the latest.
 */
export async function overviewMovements(actor: Person): Promise<Overview> {
  assertMay(actor, 'movement.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const unknown = await lines(
      tx,
      sql`${IS_ANY_KIND} AND m.bucket = 'attention' AND m.state = 'UNKNOWN' ORDER BY m.created_at
        LIMIT ${UNKNOWN_ROWS}`,
    );
    const totals = await tx.$queryRaw<{ currency: string; count: number; sum: string }[]>`
      SELECT currency, count(*)::int AS count, sum(amount_minor)::text AS sum FROM movements m
      WHERE ${IS_ANY_KIND} AND bucket = 'attention' AND state = 'UNKNOWN' GROUP BY currency
        ORDER BY 2 DESC, currency`;
    const needs = await lines(
      tx,
      sql`${IS_ANY_KIND} AND m.bucket = 'attention' AND m.state <> 'UNKNOWN' ORDER BY m.created_at
        LIMIT ${NEED_ROWS}`,
    );
    const unseen = sql`${IS_ANY_KIND} AND ${IS_UNSEEN_OUTCOME}
      AND coalesce(m.returned_at, m.state_since) > clock_timestamp() - make_interval(days => ${OUTCOME_DAYS})
      AND NOT EXISTS (SELECT FROM movements again WHERE again.retry_of = m.id)`;
    const outcomes = await lines(tx, sql`${unseen} ORDER BY m.created_at LIMIT ${NEED_ROWS}`);
    // Query each kind separately: each has its own index in this order.
    const newest = sql`ORDER BY m.created_at DESC, m.id LIMIT ${RECENT_ROWS}`;
    const recent = [
      ...(await lines(tx, sql`${IS_PAYOUT} ${newest}`)),
      ...(await lines(tx, sql`${IS_CARD_BALANCE_PAYOUT} ${newest}`)),
    ]
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, RECENT_ROWS);
    const [about] = await tx.$queryRaw<
      [{ needs: number; outcomes: number; queued: number; next_at: Date | null; now: Date }]
    >`
      SELECT (SELECT count(*)::int FROM movements m WHERE ${IS_ANY_KIND} AND bucket = 'attention'
        AND state <> 'UNKNOWN') AS needs,
        (SELECT count(*)::int FROM movements m WHERE ${unseen}) AS outcomes,
        count(*)::int AS queued, min(next_at) AS next_at, clock_timestamp() AS now
      FROM movements m WHERE ${IS_ANY_KIND} AND bucket IN ('attention', 'progress')
        AND state = 'APPROVED' AND not_sent_tries > 0 AND alert IS DISTINCT FROM 'journal_unwritable'`;
    return {
      unknown: {
        rows: unknown,
        totals: totals.map((row) => ({ ...row, sum: toDecimal(BigInt(row.sum)) })),
      },
      needs: { rows: needs, count: about.needs },
      outcomes: { rows: outcomes, count: about.outcomes },
      queued: { count: about.queued, nextLookAt: about.next_at?.toISOString() ?? null },
      recent,
      now: about.now.toISOString(),
    };
  });
}

/** Finds our own movements by our or the ledger's references: reference → id. */
export async function findOwnPayouts(
  actor: Person,
  references: { extIds: readonly string[]; transactionIds: readonly string[] },
): Promise<Map<string, string>> {
  assertMay(actor, 'movement.read');
  const { extIds, transactionIds } = references;
  if (extIds.length + transactionIds.length === 0) return new Map();
  const rows = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<{ id: string; ext_id: string; transaction_id: string | null }[]>`
    SELECT id, ext_id, transaction_id FROM movements WHERE ext_id = ANY(${[...extIds]})
      OR transaction_id = ANY(${[...transactionIds]})`,
  );
  return new Map(
    rows.flatMap((row): [string, string][] =>
      row.transaction_id === null
        ? [[row.ext_id, row.id]]
        : [
            [row.ext_id, row.id],
            [row.transaction_id, row.id],
          ],
    ),
  );
}

/**
 * Movements that debited, or may have debited, a wallet and have no ledger entry yet. The newest
 * first.
 */
export async function notYetInLedger(actor: Person, wallet: string): Promise<MovementLine[]> {
  assertMay(actor, 'movement.read');
  return inTransaction(actor.merchantId, (tx) =>
    lines(
      tx,
      sql`
    ${IS_ANY_KIND} AND m.wallet = ${wallet} AND m.ledger_seen_at IS NULL
      AND (m.state IN ('SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW')
      OR (m.state = 'COMPLETED' AND m.ended_at > clock_timestamp() - interval '1 day'))
    ORDER BY m.created_at DESC LIMIT ${NEED_ROWS}`,
    ),
  );
}

const LINE = columns('movements', [
  'id',
  'kind',
  'card_payment_id',
  'name',
  'amount_minor',
  'currency',
  'state',
  'returned',
  'alert',
  'created_at',
  'state_since',
  'last_send_at',
  'next_at',
  'not_found_reads',
  'not_sent_tries',
]);
type LineRow = RowOf<typeof LINE, { state: State; returned: Returned; alert: Alert | null }>;

async function lines(tx: Tx, which: ReturnType<typeof sql>): Promise<MovementLine[]> {
  const rows = await tx.$queryRaw<LineRow[]>`
    SELECT ${LINE.of('m')} FROM movements m WHERE ${which}`;
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    cardPaymentId: row.card_payment_id,
    name: row.name,
    amount: toDecimal(row.amount_minor),
    currency: row.currency,
    state: row.state,
    returned: row.returned,
    alert: row.alert,
    createdAt: row.created_at.toISOString(),
    stateSince: row.state_since.toISOString(),
    lastSendAt: row.last_send_at?.toISOString() ?? null,
    nextLookAt: row.next_at?.toISOString() ?? null,
    notFoundReads: row.not_found_reads,
    notSentTries: row.not_sent_tries,
  }));
}
