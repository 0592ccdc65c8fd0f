import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countIn } from '#lib/runtime/count.ts';
import { columns, inOne, sql } from '#lib/runtime/db.ts';
import type { Row, RowOf } from '#lib/runtime/db.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged } from '#lib/values/keyset.ts';
import { toDecimal } from '#lib/values/money.ts';
import { UUID } from '#lib/values/uuid.ts';
import { edgeOf } from './filter.ts';
import type { CaseQuery } from './filter.ts';
import type { FailedTopUpKind } from './kind.ts';
import { likelyWallet } from './likely-wallet.ts';
import { ARRIVED } from './list.ts';
import type { Likely, OwnWallet } from './likely-wallet.ts';

const PAGE_ROWS = 25;
const CANDIDATES = 3;

/**
 * A failed top-up as reported by a webhook. Amounts are decimal text, null where the webhook has
 * none; nothing in it is believed.
 */
export type CaseRow = {
  id: string;
  kind: FailedTopUpKind;
  state: 'open' | 'handled' | 'arrived';
  code: string | null;
  /** The provider's message, word for word. */
  message: string | null;
  /** The wallet named by the webhook. */
  wallet: string | null;
  likely: Likely | null;
  amount: string | null;
  currency: string | null;
  description: string | null;
  /** How often the webhook arrived, and how often after the case was closed. */
  seen: number;
  reopened: number;
  firstAt: string;
  lastAt: string;
  openedAt: string;
  closedAt: string | null;
};

export type CasePage = Paged<CaseRow> & { open: number; any: boolean; now: string };

/** One page of the cases, the latest opened first. */
export async function listCases(actor: Person, { view, place }: CaseQuery): Promise<CasePage> {
  assertMay(actor, 'wallet.read');
  const backwards = place?.side === 'before';
  const edge = place && edgeOf(place);
  const beyond =
    edge === null
      ? sql`TRUE`
      : backwards
        ? sql`c.opened_at >= ${edge.at}::timestamptz
            AND (c.opened_at > ${edge.at}::timestamptz OR c.id < ${edge.id}::uuid)`
        : sql`c.opened_at <= ${edge.at}::timestamptz
            AND (c.opened_at < ${edge.at}::timestamptz OR c.id > ${edge.id}::uuid)`;
  const [found, [about], wallets] = await Promise.all([
    inOne<FoundCase>(
      actor.merchantId,
      sql`
      SELECT ${COLUMNS} FROM failed_top_ups c
        WHERE ${view === 'open' ? sql`c.state = 'OPEN'` : sql`c.state IN ('HANDLED', 'ARRIVED')`}
        AND ${beyond}
      ORDER BY c.opened_at ${backwards ? sql`ASC` : sql`DESC`},
        c.id ${backwards ? sql`DESC` : sql`ASC`} LIMIT ${PAGE_ROWS + 1}`,
    ),
    inOne<{ open: number; any: boolean; now: Date }>(
      actor.merchantId,
      sql`SELECT ${OPEN} AS open, EXISTS (SELECT FROM failed_top_ups) AS any, clock_timestamp() AS now`,
    ),
    ownWallets(actor),
  ]);
  const page = pageOf(found, place, PAGE_ROWS, (row) => row.edge);
  return {
    ...page,
    rows: page.rows.map((row) => caseRow(row, wallets)),
    open: about!.open,
    any: about!.any,
    now: about!.now.toISOString(),
  };
}

export async function countOpenCases(actor: Person): Promise<number> {
  assertMay(actor, 'wallet.read');
  return countIn(actor.merchantId, sql`SELECT ${OPEN}`);
}

export type CaseView = CaseRow & {
  /** The person and the note of the last closing, also when the case was reopened since. */
  handled: { by: string; at: string | null; note: string } | null;
  /** The ledger entry that shows the money. */
  recordId: string | null;
  /** Top-ups of the same amount around that time: one of them may be this money. */
  candidates: {
    id: string;
    at: string;
    wallet: string | null;
    senderName: string | null;
    description: string | null;
  }[];
  likelyName: OwnWallet | null;
  raw: string | null;
  noticeId: string;
  can: { handle: boolean };
  now: string;
};

/** One case in full; null when there is none with that id. */
export async function viewCase(actor: Person, id: string): Promise<CaseView | null> {
  assertMay(actor, 'wallet.read');
  if (!UUID.test(id)) return null;
  const [[row], candidates, wallets] = await Promise.all([
    inOne<
      FoundCase & {
        note: string | null;
        handler: string | null;
        record_id: string | null;
        notice_id: bigint;
        body: string;
        now: Date;
      }
    >(
      actor.merchantId,
      sql`
      SELECT ${COLUMNS}, c.note, p.name AS handler, c.record_id, c.notice_id, n.body,
        clock_timestamp() AS now
      FROM failed_top_ups c JOIN notices n ON n.id = c.notice_id
        LEFT JOIN people p ON p.id = c.handled_by WHERE c.id = ${id}::uuid`,
    ),
    inOne<
      Row<'ledger_records', 'id' | 'created_at' | 'to_wallet' | 'sender_name'> & {
        description: string | null;
      }
    >(
      actor.merchantId,
      sql`
      SELECT l.id, l.created_at, l.to_wallet, l.sender_name,
        coalesce(l.top_up ->> 'description', l.description) AS description
      FROM failed_top_ups c JOIN ledger_records l ON l.amount_minor = c.announced_minor
        AND l.currency = c.currency AND ${ARRIVED.own}
        AND l.created_at > c.first_at - interval '30 days' WHERE c.id = ${id}::uuid
          ORDER BY l.created_at DESC LIMIT ${CANDIDATES}`,
    ),
    ownWallets(actor),
  ]);
  if (!row) return null;
  const shown = caseRow(row, wallets);
  return {
    ...shown,
    recordId: row.record_id,
    noticeId: row.notice_id.toString(),
    raw: may(actor.role, 'payee.read') ? row.body : null,
    handled:
      row.handler === null || row.note === null
        ? null
        : {
            by: row.handler,
            at: shown.state === 'handled' ? shown.closedAt : null,
            note: row.note,
          },
    candidates: candidates.map((one) => ({
      id: one.id,
      at: one.created_at.toISOString(),
      wallet: one.to_wallet,
      senderName: one.sender_name,
      description: one.description,
    })),
    likelyName: wallets.find((wallet) => wallet.number === shown.likely?.wallet) ?? null,
    can: { handle: shown.state === 'open' && may(actor.role, 'top_up.handle') },
    now: row.now.toISOString(),
  };
}

const CASE = columns('failed_top_ups', [
  'id',
  'kind',
  'state',
  'code',
  'message',
  'wallet',
  'announced_minor',
  'currency',
  'description',
  'seen',
  'reopened',
  'first_at',
  'last_at',
  'opened_at',
  'closed_at',
]);
type FoundCase = RowOf<typeof CASE, { kind: FailedTopUpKind; state: keyof typeof SHOWN_STATES }> & {
  edge: string;
};

const SHOWN_STATES = { OPEN: 'open', HANDLED: 'handled', ARRIVED: 'arrived' } as const;
const OPEN = sql`(SELECT count(*)::int FROM failed_top_ups WHERE state = 'OPEN')`;
const COLUMNS = sql`${CASE.of('c')},
  to_char(c.opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || c.id AS edge`;

function caseRow(row: FoundCase, wallets: readonly OwnWallet[]): CaseRow {
  return {
    id: row.id,
    kind: row.kind,
    state: SHOWN_STATES[row.state],
    code: row.code,
    message: row.message,
    wallet: row.wallet,
    likely: likelyWallet(row, wallets),
    amount: row.announced_minor === null ? null : toDecimal(row.announced_minor),
    currency: row.currency,
    description: row.description,
    seen: row.seen,
    reopened: row.reopened,
    firstAt: row.first_at.toISOString(),
    lastAt: row.last_at.toISOString(),
    openedAt: row.opened_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
  };
}

/**
 * The merchant's wallets, from their last stored records: guessing the wallet of a failed top-up is
 * not worth a wait for the provider.
 */
function ownWallets(actor: Person): Promise<OwnWallet[]> {
  return inOne<OwnWallet>(
    actor.merchantId,
    sql`
    SELECT number, record ->> 'name' AS name, record ->> 'currency' AS currency,
      record ->> 'iban' AS iban, coalesce((record ->> 'topUpDefault')::boolean, false) AS "topUpDefault"
    FROM wallet_snapshots WHERE record ->> 'name' IS NOT NULL ORDER BY number`,
  );
}
