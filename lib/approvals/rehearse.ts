import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { IS_ANY_KIND } from '#lib/movements/kind-sql.ts';
import { kindOf } from '#lib/movements/kinds.ts';
import { payeeColumns, payeeKnown, paysOthers } from '#lib/movements/payee-known.ts';
import type { PayeeColumns } from '#lib/movements/payee-known.ts';
import type { PolicyRule } from '#lib/policy/rules.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { rehearse } from './rehearse-rules.ts';
import type { PastPayment, Rehearsed } from './rehearse-rules.ts';

const DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
/** The newest payments of these days count, beside those of the day before. */
const PAYMENTS_MAX = 3_000;

type Found = Row<
  'movements',
  | 'kind'
  | 'wallet'
  | 'iban'
  | 'to_wallet'
  | 'amount_minor'
  | 'currency'
  | 'maker_id'
  | 'state'
  | 'created_at'
> &
  PayeeColumns;

/** Only a payment that was completed before the movement `m` was made has made its payee known. */
const PAID_BEFORE = sql`(p.created_at < m.created_at
  AND coalesce(p.ended_at, p.created_at) <= m.created_at)`;

/** What rules would have asked of the payments of the last 30 days. */
export async function rehearsePolicy(
  actor: Person,
  rules: readonly PolicyRule[],
): Promise<Rehearsed> {
  assertMay(actor, 'policy.read');
  const rows = await inOne<Found>(
    actor.merchantId,
    sql`
    SELECT m.kind, m.wallet, m.iban, m.to_wallet, m.amount_minor, m.currency, m.maker_id, m.state,
      m.created_at, ${payeeColumns(PAID_BEFORE)}
    FROM (SELECT * FROM movements m WHERE ${IS_ANY_KIND}
      AND created_at > statement_timestamp() - make_interval(days => ${DAYS + 1})
      ORDER BY created_at DESC LIMIT ${PAYMENTS_MAX}) m ORDER BY m.created_at DESC`,
  );
  return rehearse(rules, rows.map(pastOf).toReversed(), Date.now() - DAYS * DAY_MS);
}

function pastOf(row: Found): PastPayment {
  return {
    policyClass: kindOf(row.kind).policyClass,
    wallet: row.wallet,
    currency: row.currency,
    amountMinor: row.amount_minor,
    makerId: row.maker_id,
    account: `${row.iban} ${row.to_wallet ?? ''}`,
    paysOthers: paysOthers(row.kind),
    known: payeeKnown(row.kind, row),
    at: row.created_at.getTime(),
    isLive: !['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'].includes(row.state),
  };
}
