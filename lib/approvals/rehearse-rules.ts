import { judgePolicy } from '#lib/policy/rules.ts';
import type { PolicyClass, PolicyFacts, PolicyRule, PreparedSum } from '#lib/policy/rules.ts';

/** What rules would have asked of payments that were made. Pure; times in milliseconds. */

const DAY_MS = 24 * 60 * 60_000;

/**
 * A payment of the past. `account`: what it pays, somebody else's where `paysOthers`. `known`: of its
 * payee when it was made. `isLive`: it was neither refused, cancelled nor run out.
 */
export type PastPayment = {
  policyClass: PolicyClass | null;
  wallet: string;
  currency: string;
  amountMinor: bigint;
  makerId: string;
  account: string;
  paysOthers: boolean;
  known: Pick<PolicyFacts, 'isFirstPayment' | 'isPayeeChanged'>;
  at: number;
  isLive: boolean;
};

export type Rehearsed = { payments: number; one: number; two: number };

/** `past` in the order of its time; those before `since` only count in the sums of a day. */
export function rehearse(
  rules: readonly PolicyRule[],
  past: readonly PastPayment[],
  since: number,
): Rehearsed {
  const done: Rehearsed = { payments: 0, one: 0, two: 0 };
  for (const [index, payment] of past.entries()) {
    if (payment.at < since || payment.policyClass === null) continue;
    done.payments += 1;
    const { needed } = judgePolicy(rules, {
      policyClass: payment.policyClass,
      wallet: payment.wallet,
      currency: payment.currency,
      amountMinor: payment.amountMinor,
      ...payment.known,
      prepared: preparedBefore(payment, past.slice(0, index)),
    });
    if (needed === 1) done.one += 1;
    if (needed === 2) done.two += 1;
  }
  return done;
}

function preparedBefore(payment: PastPayment, before: readonly PastPayment[]): PreparedSum[] {
  return before
    .filter(
      (one) => one.isLive && one.currency === payment.currency && payment.at - one.at < DAY_MS,
    )
    .flatMap(({ policyClass, wallet, amountMinor, makerId, account }): PreparedSum[] =>
      policyClass === null
        ? []
        : [
            {
              policyClass,
              wallet,
              byMakerMinor: makerId === payment.makerId ? amountMinor : 0n,
              toPayeeMinor: payment.paysOthers && account === payment.account ? amountMinor : 0n,
            },
          ],
    );
}
