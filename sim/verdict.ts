import { kindOf } from '#lib/movements/kinds.ts';
import { addLimit, isLimited } from '#lib/policy/limits.ts';
import type { OwnLimit } from '#lib/policy/limits.ts';
import { judgePolicy, NOTHING_NEEDED } from '#lib/policy/rules.ts';
import type { PolicyFacts, PolicyJudgement } from '#lib/policy/rules.ts';
import { verdictOf } from '#lib/policy/verdict.ts';
import type { PolicyVerdict } from '#lib/policy/verdict.ts';
import type { Governance, PersonName } from './governance.ts';
import type { Row, Tx } from './store.ts';
import { DAY, HOUR } from './time.ts';

/**
 * What the policy of this moment asks of a movement: the product's rules, with the facts that
 * lib/movements/policy-facts.ts and lib/movements/own-limit.ts read in SQL.
 */

export const DEAD: readonly string[] = ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];
/** The workspace is in Istanbul. */
const ZONE_MS = 3 * HOUR;

/** A movement that is stored, or about to be. */
export type Judged = Pick<
  Row,
  'id' | 'kind' | 'makerId' | 'wallet' | 'iban' | 'toWallet' | 'name' | 'amountMinor' | 'currency'
> & { createdAt: number | null };

export function verdictNow(tx: Tx, governance: Governance, movement: Judged): PolicyVerdict {
  const { policy } = governance;
  const byPolicy =
    policy === null ? NOTHING_NEEDED : judgePolicy(policy.rules, factsOf(tx, movement));
  const judgement = withLimit(tx, governance, movement, byPolicy);
  return verdictOf(policy, judgement, movement);
}

function factsOf(tx: Tx, movement: Judged): PolicyFacts {
  const { id, kind, makerId, wallet, iban, toWallet, name, amountMinor, currency } = movement;
  const { policyClass, payee } = kindOf(kind);
  const paysOthers = payee === 'bank_account' || payee === 'wallet';
  const others = tx.rows().filter((row) => row.id !== id);
  const isSamePayee = (row: Row): boolean => row.iban === iban && row.toWallet === toWallet;
  const paid = others.filter((row) => row.state === 'COMPLETED' && row.returned === 'NONE');
  const isKnown = !paysOthers || paid.some(isSamePayee);
  const isElsewhere = paid.some(
    (row) =>
      row.name === name &&
      row.card === null &&
      !isSamePayee(row) &&
      (row.iban === '') === (iban === ''),
  );
  const recent = others.filter(
    (row) => row.createdAt > tx.now - DAY && row.currency === currency && !DEAD.includes(row.state),
  );
  const prepared = recent.flatMap((row) => {
    const its = kindOf(row.kind).policyClass;
    return its === null
      ? []
      : [
          {
            policyClass: its,
            wallet: row.wallet,
            byMakerMinor: row.makerId === makerId ? row.amountMinor : 0n,
            toPayeeMinor: paysOthers && isSamePayee(row) ? row.amountMinor : 0n,
          },
        ];
  });
  return {
    policyClass,
    wallet,
    currency,
    amountMinor,
    isFirstPayment: !isKnown,
    isPayeeChanged: !isKnown && isElsewhere,
    prepared,
  };
}

function withLimit(
  tx: Tx,
  { limits }: Governance,
  { id, kind, makerId, amountMinor, currency, createdAt }: Judged,
  judgement: PolicyJudgement,
): PolicyJudgement {
  const limit: OwnLimit | null = limits[makerId as PersonName] ?? null;
  if (limit === null || !isLimited(kindOf(kind).policyClass)) return judgement;
  const at = createdAt ?? tx.now;
  const dayMinor = tx
    .rows()
    .filter(
      (row) =>
        row.makerId === makerId &&
        row.currency === currency &&
        row.id !== id &&
        isLimited(kindOf(row.kind).policyClass) &&
        row.createdAt >= dayBeganAt(at) &&
        (createdAt === null || row.createdAt <= at) &&
        !DEAD.includes(row.state),
    )
    .reduce((total, row) => total + row.amountMinor, 0n);
  return addLimit(judgement, limit, { amountMinor, dayMinor });
}

export function dayBeganAt(at: number): number {
  return Math.floor((at + ZONE_MS) / DAY) * DAY - ZONE_MS;
}
