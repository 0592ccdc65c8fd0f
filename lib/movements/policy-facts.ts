import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { currentPolicy } from '#lib/policy/versions.ts';
import { judgePolicy, NOTHING_NEEDED } from '#lib/policy/rules.ts';
import type { PolicyFacts, PreparedSum } from '#lib/policy/rules.ts';
import { verdictOf } from '#lib/policy/verdict.ts';
import type { PolicyVerdict } from '#lib/policy/verdict.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import type { MovementContent } from './content-text.ts';
import { PREPARED_LATELY } from './kind-sql.ts';
import { kindOf } from './kinds.ts';
import { judgeOwnLimit } from './own-limit.ts';
import { payeeColumns, payeeKnown, paysOthers } from './payee-known.ts';
import type { PayeeColumns, PayeeKnown } from './payee-known.ts';

/** A movement that is judged: stored already, or about to be. `at`: when, if it is not stored yet. */
export type Judged = {
  id: string;
  kind: string;
  makerId: string;
  content: Pick<
    MovementContent,
    'wallet' | 'iban' | 'toWallet' | 'name' | 'amountMinor' | 'currency'
  >;
  at?: Date;
};

/**
 * What the policy of this moment asks of a movement, whatever its kind: the only place that decides
 * whether a person has to approve it.
 */
export async function judgeByPolicy(tx: Tx, movement: Judged): Promise<PolicyVerdict> {
  const policy = await currentPolicy(tx);
  const byPolicy =
    policy === null
      ? NOTHING_NEEDED
      : judgePolicy(policy.rules, await readPolicyFacts(tx, movement));
  const judgement = await judgeOwnLimit(tx, movement, byPolicy);
  return verdictOf(policy, judgement, movement.content);
}

/** The facts of a movement at this moment; the movement itself is not counted among the others. */
export async function readPolicyFacts(tx: Tx, movement: Judged): Promise<PolicyFacts> {
  const { id, kind, makerId, content } = movement;
  const { policyClass } = kindOf(kind);
  const { wallet, currency, amountMinor } = content;
  const known = paysOthers(kind) ? await readPayeeKnown(tx, movement) : KNOWN;
  const sums = await tx.$queryRaw<
    (Row<'movements', 'kind' | 'wallet'> & { by_maker: string; to_payee: string })[]
  >`
    SELECT kind, wallet,
      coalesce(sum(amount_minor) FILTER (WHERE maker_id = ${makerId}::uuid), 0)::text AS by_maker,
      coalesce(sum(amount_minor) FILTER (WHERE ${paysOthers(kind)}::boolean
        AND iban = ${content.iban} AND to_wallet IS NOT DISTINCT FROM ${content.toWallet}), 0)::text
        AS to_payee
    FROM movements m
    WHERE ${PREPARED_LATELY} AND id <> ${id}::uuid
      AND currency = ${currency}
      AND state NOT IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED')
    GROUP BY kind, wallet`;
  return { policyClass, wallet, currency, amountMinor, ...known, prepared: preparedSums(sums) };
}

const KNOWN: PayeeKnown = { isFirstPayment: false, isPayeeChanged: false };

/** A name is known by its letters without accents, as in the search. */
async function readPayeeKnown(
  tx: Tx,
  { id, kind, content: { iban, toWallet, name } }: Judged,
): Promise<PayeeKnown> {
  const fold = foldForSearch(name);
  const [found] = await tx.$queryRaw<[PayeeColumns]>`
    SELECT ${payeeColumns()} FROM (SELECT ${id}::uuid AS id, ${iban}::text AS iban,
      ${toWallet}::text AS to_wallet, ${fold}::text AS name_fold) m`;
  return payeeKnown(kind, found);
}

function preparedSums(
  rows: readonly { kind: string; wallet: string; by_maker: string; to_payee: string }[],
): PreparedSum[] {
  return rows.flatMap((row): PreparedSum[] => {
    const { policyClass } = kindOf(row.kind);
    return policyClass === null
      ? []
      : [
          {
            policyClass,
            wallet: row.wallet,
            byMakerMinor: BigInt(row.by_maker),
            toPayeeMinor: BigInt(row.to_payee),
          },
        ];
  });
}
