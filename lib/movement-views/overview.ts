import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { columns, inTransaction, sql } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import {
  IS_ANY_KIND,
  IS_CARD_BALANCE_PAYOUT,
  IS_CARD_OPERATION,
  IS_LISTED,
  IS_PAYOUT,
} from '#lib/movements/kind-sql.ts';
import { LIST_NAMES, listOf } from '#lib/movements/kinds.ts';
import type { ListName } from '#lib/movements/kinds.ts';
import { IS_WAITING } from '#lib/movements/waiting-sql.ts';
import type { WaitingGroup } from '#lib/movements/waiting.ts';
import type { Alert, Returned, State } from '#lib/movements/state.ts';

/** Movements of a group that the home page shows one by one. */
const SHOWN_ROWS = 10;
/** The same for card operations, of which there is no list that shows the others. */
const CARD_OPERATION_ROWS = 100;
const RECENT_ROWS = 8;

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

/** The movements of one group in one list; `count` is the number of rows of that list. */
export type ListCount = { list: ListName; count: number };

/** A group of movements, the oldest first, and how many of them each list has. */
export type Waiting = { rows: MovementLine[]; lists: ListCount[] };

export type Overview = {
  /** Movements with an unknown outcome; `totals` adds up all of them, one entry per currency. */
  unknown: Waiting & { totals: { currency: string; count: number; sum: string }[] };
  /** Movements that need a person, without the unknown ones. */
  needs: Waiting;
  /**
   * Rejected, failed and returned movements of the last weeks that nobody has marked as seen or
   * paid again.
   */
  outcomes: Waiting;
  /**
   * Movements that are ready to be sent again after a try that did not reach the provider: they
   * wait in the queue, and none of them is in flight.
   */
  queued: { lists: ListCount[]; nextLookAt: string | null };
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
    const totals = await tx.$queryRaw<{ currency: string; count: number; sum: string }[]>`
      SELECT currency, count(*)::int AS count, sum(amount_minor)::text AS sum FROM movements m
      WHERE ${IS_ANY_KIND} AND ${IS_WAITING.unknown} GROUP BY currency ORDER BY 2 DESC, currency`;
    const [about] = await tx.$queryRaw<[{ next_at: Date | null; now: Date }]>`
      SELECT min(next_at) AS next_at, clock_timestamp() AS now
      FROM movements m WHERE ${IS_ANY_KIND} AND ${IS_WAITING.queued}`;
    return {
      unknown: {
        ...(await waiting(tx, 'unknown')),
        totals: totals.map((row) => ({ ...row, sum: toDecimal(BigInt(row.sum)) })),
      },
      needs: await waiting(tx, 'person'),
      outcomes: await waiting(tx, 'outcome'),
      queued: {
        lists: await countsOf(tx, 'queued'),
        nextLookAt: about.next_at?.toISOString() ?? null,
      },
      recent: await latest(tx),
      now: about.now.toISOString(),
    };
  });
}

async function waiting(tx: Tx, group: WaitingGroup): Promise<Waiting> {
  const oldest = sql`AND ${IS_WAITING[group]} ORDER BY m.created_at LIMIT`;
  const rows = [
    ...(await lines(tx, sql`${IS_LISTED} ${oldest} ${SHOWN_ROWS}`)),
    ...(await lines(tx, sql`${IS_CARD_OPERATION} ${oldest} ${CARD_OPERATION_ROWS}`)),
  ].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  return { rows, lists: await countsOf(tx, group) };
}

/** The number of a group's movements in each list that has any. */
async function countsOf(tx: Tx, group: WaitingGroup): Promise<ListCount[]> {
  const counts = await tx.$queryRaw<{ kind: string; count: number }[]>`
    SELECT m.kind, count(*)::int AS count FROM movements m
    WHERE ${IS_ANY_KIND} AND ${IS_WAITING[group]} GROUP BY m.kind`;
  return LIST_NAMES.flatMap((list) => {
    const own = counts.filter(({ kind }) => listOf(kind) === list);
    const count = own.reduce((all, row) => all + row.count, 0);
    return count === 0 ? [] : { list, count };
  });
}

/** Each kind is queried separately: each has its own index in this order. */
async function latest(tx: Tx): Promise<MovementLine[]> {
  const newest = sql`ORDER BY m.created_at DESC, m.id LIMIT ${RECENT_ROWS}`;
  return [
    ...(await lines(tx, sql`${IS_PAYOUT} ${newest}`)),
    ...(await lines(tx, sql`${IS_CARD_BALANCE_PAYOUT} ${newest}`)),
  ]
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, RECENT_ROWS);
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
    ORDER BY m.created_at DESC LIMIT ${SHOWN_ROWS}`,
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
