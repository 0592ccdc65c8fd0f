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
import { kindOf } from './kinds.ts';
import { judgeOwnLimit } from './own-limit.ts';

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
  const { policyClass, payee } = kindOf(kind);
  const { wallet, currency, amountMinor } = content;
  const paysOthers = payee === 'bank_account' || payee === 'wallet';
  const known = paysOthers ? await readPayeeKnown(tx, movement) : KNOWN;
  const sums = await tx.$queryRaw<
    (Row<'movements', 'kind' | 'wallet'> & { by_maker: string; to_payee: string })[]
  >`
    SELECT kind, wallet,
      coalesce(sum(amount_minor) FILTER (WHERE maker_id = ${makerId}::uuid), 0)::text AS by_maker,
      coalesce(sum(amount_minor) FILTER (WHERE ${paysOthers}::boolean
        AND iban = ${content.iban} AND to_wallet IS NOT DISTINCT FROM ${content.toWallet}), 0)::text
        AS to_payee
    FROM movements
    WHERE created_at > clock_timestamp() - interval '24 hours' AND id <> ${id}::uuid
      AND currency = ${currency}
      AND state NOT IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED')
    GROUP BY kind, wallet`;
  return { policyClass, wallet, currency, amountMinor, ...known, prepared: preparedSums(sums) };
}

const KNOWN = { isFirstPayment: false, isPayeeChanged: false };

/**
 * A payee is known when a payment to it was completed and the money stayed there. A name is known
 * by its letters without accents, as in the search.
 */
async function readPayeeKnown(
  tx: Tx,
  { id, content: { iban, toWallet, name } }: Judged,
): Promise<typeof KNOWN> {
  const fold = foldForSearch(name);
  const [found] = await tx.$queryRaw<[{ paid: boolean; elsewhere: boolean }]>`
    SELECT EXISTS (SELECT FROM movements WHERE state = 'COMPLETED' AND returned = 'NONE'
        AND id <> ${id}::uuid AND iban = ${iban}
        AND to_wallet IS NOT DISTINCT FROM ${toWallet}) AS paid,
      EXISTS (SELECT FROM movements WHERE state = 'COMPLETED' AND returned = 'NONE'
        AND id <> ${id}::uuid AND name_fold = ${fold} AND card_payment_id IS NULL
        AND (iban, coalesce(to_wallet, '')) <> (${iban}, coalesce(${toWallet}::text, ''))
        AND (iban = '') = (${iban}::text = '')) AS elsewhere`;
  return { isFirstPayment: !found.paid, isPayeeChanged: !found.paid && found.elsewhere };
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
