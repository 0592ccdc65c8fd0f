import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { kindOf } from '#lib/movements/kinds.ts';
import type { PolicyRule } from '#lib/policy/rules.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { rehearse } from './rehearse-rules.ts';
import type { PastPayment, Rehearsed } from './rehearse-rules.ts';

const DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
/** Earlier payments are read too, because they make a payee known; the newest ones count. */
const PAYMENTS_MAX = 3_000;

type Found = Row<
  'movements',
  | 'kind'
  | 'wallet'
  | 'iban'
  | 'to_wallet'
  | 'name_fold'
  | 'amount_minor'
  | 'currency'
  | 'maker_id'
  | 'state'
  | 'returned'
  | 'created_at'
  | 'ended_at'
>;

/** What rules would have asked of the payments of the last 30 days. */
export async function rehearsePolicy(
  actor: Person,
  rules: readonly PolicyRule[],
): Promise<Rehearsed> {
  assertMay(actor, 'policy.read');
  const rows = await inOne<Found>(
    actor.merchantId,
    sql`
    SELECT kind, wallet, iban, to_wallet, name_fold, amount_minor, currency, maker_id, state,
      returned, created_at, ended_at
    FROM movements ORDER BY created_at DESC LIMIT ${PAYMENTS_MAX}`,
  );
  return rehearse(rules, rows.map(pastOf).toReversed(), Date.now() - DAYS * DAY_MS);
}

function pastOf(row: Found): PastPayment {
  const { policyClass, payee } = kindOf(row.kind);
  const isPaid = row.state === 'COMPLETED' && row.returned === 'NONE';
  return {
    policyClass,
    wallet: row.wallet,
    currency: row.currency,
    amountMinor: row.amount_minor,
    makerId: row.maker_id,
    payee: payee === 'bank_account' || payee === 'wallet' ? (row.to_wallet ?? row.iban) : null,
    name: row.name_fold ?? '',
    at: row.created_at.getTime(),
    paidAt: isPaid ? (row.ended_at ?? row.created_at).getTime() : null,
    isLive: !['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'].includes(row.state),
  };
}
