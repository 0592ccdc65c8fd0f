import { judgePolicy } from '#lib/policy/rules.ts';
import type { PolicyClass, PolicyRule, PreparedSum } from '#lib/policy/rules.ts';

/** What rules would have asked of payments that were made. Pure; times in milliseconds. */

const DAY_MS = 24 * 60 * 60_000;

/**
 * A payment of the past. `payee`: the account, null where no other is paid. `paidAt`: when it was
 * completed, if the money stayed there. `isLive`: it was neither refused, cancelled nor run out.
 */
export type PastPayment = {
  policyClass: PolicyClass | null;
  wallet: string;
  currency: string;
  amountMinor: bigint;
  makerId: string;
  payee: string | null;
  name: string;
  at: number;
  paidAt: number | null;
  isLive: boolean;
};

export type Rehearsed = { payments: number; one: number; two: number };

/** `past` in the order of its time; those before `since` only tell who was paid already. */
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
      ...knownOf(payment, past),
      prepared: preparedBefore(payment, past.slice(0, index)),
    });
    if (needed === 1) done.one += 1;
    if (needed === 2) done.two += 1;
  }
  return done;
}

function knownOf(
  { payee, name, at }: PastPayment,
  past: readonly PastPayment[],
): { isFirstPayment: boolean; isPayeeChanged: boolean } {
  if (payee === null) return { isFirstPayment: false, isPayeeChanged: false };
  const paid = past.filter((one) => one.paidAt !== null && one.paidAt <= at && one.payee !== null);
  const isFirstPayment = !paid.some((one) => one.payee === payee);
  return {
    isFirstPayment,
    isPayeeChanged: isFirstPayment && paid.some((one) => one.name === name),
  };
}

function preparedBefore(payment: PastPayment, before: readonly PastPayment[]): PreparedSum[] {
  return before
    .filter(
      (one) => one.isLive && one.currency === payment.currency && payment.at - one.at < DAY_MS,
    )
    .flatMap(({ policyClass, wallet, amountMinor, makerId, payee }): PreparedSum[] =>
      policyClass === null
        ? []
        : [
            {
              policyClass,
              wallet,
              byMakerMinor: makerId === payment.makerId ? amountMinor : 0n,
              toPayeeMinor: payee !== null && payee === payment.payee ? amountMinor : 0n,
            },
          ],
    );
}
