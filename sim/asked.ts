import type { Governance, PersonName } from './governance.ts';
import type { Row } from './store.ts';
import { DAY, HOUR } from './time.ts';

/**
 * What the policy of a moment asks of a payment, counted for the judges from the rules in words:
 * it shares no code with the product.
 */

export type Strength = 'none' | 'any' | 'passkey';
export type Asked = { people: number; ownersOnly: boolean; signed: Strength };

export const NOTHING: Asked = { people: 0, ownersOnly: false, signed: 'none' };

const CLASS: Readonly<Record<string, string>> = {
  payout: 'payout',
  transfer_business: 'transfer',
  transfer_person: 'transfer',
  transfer_own: 'own_transfer',
  cashout: 'payout',
  card_refund: 'refund',
};
const DEAD: readonly string[] = ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];
/** Midnight in Istanbul is 21:00 in Greenwich. */
const MIDNIGHT_MS = 21 * HOUR;

/** `rows`: every row of the database at `now`; the payment itself may be among them. */
export function askedNow(
  row: Row,
  { policy, limits }: Governance,
  rows: readonly Row[],
  now: number,
): Asked {
  const others = rows.filter((one) => one.id !== row.id && one.currency === row.currency);
  let people = 0;
  let ownersOnly = false;
  for (const rule of policy?.rules ?? []) {
    if (!isAbout(rule, row) || !isMet(rule, row, others, now)) continue;
    people = Math.max(people, rule.approvals);
    ownersOnly ||= rule.who === 'owner';
  }
  if (isOverLimit(row, limits[row.makerId as PersonName], others)) people = Math.min(2, people + 1);
  return { people, ownersOnly, signed: people > 0 ? signatureOf(row, policy) : 'none' };
}

export function isAbout(rule: Rule, { currency, kind, wallet }: Row): boolean {
  return (
    rule.currency === currency &&
    (rule.classes as readonly string[]).includes(CLASS[kind] ?? '') &&
    (rule.wallets.length === 0 || rule.wallets.includes(wallet))
  );
}

export type Rule = NonNullable<Governance['policy']>['rules'][number];

export function isMet(rule: Rule, row: Row, others: readonly Row[], now: number): boolean {
  const { amountMinor } = row;
  const reaches = (more: bigint): boolean => amountMinor + more >= rule.fromMinor;
  const isCovered = (one: Row): boolean =>
    (rule.classes as readonly string[]).includes(CLASS[one.kind] ?? '') &&
    (rule.wallets.length === 0 || rule.wallets.includes(one.wallet));
  const ofToday = others.filter(
    (one) => now - one.createdAt < DAY && !DEAD.includes(one.state) && isCovered(one),
  );
  const paidThere = others.some((one) => isPaid(one) && accountOf(one) === accountOf(row));
  switch (rule.when) {
    case 'amount':
      return reaches(0n);
    case 'first_payment':
      return isToOthers(row) && !paidThere && reaches(0n);
    case 'payee_changed': {
      const paidElsewhere = others.some(
        (one) => isPaid(one) && isToOthers(one) && one.name === row.name,
      );
      return isToOthers(row) && !paidThere && paidElsewhere && reaches(0n);
    }
    case 'maker_day':
      return reaches(total(ofToday.filter((one) => one.makerId === row.makerId)));
    case 'split':
      return (
        isToOthers(row) &&
        !reaches(0n) &&
        reaches(total(ofToday.filter((one) => accountOf(one) === accountOf(row))))
      );
  }
}

export function isOverLimit(
  row: Row,
  limit: Governance['limits'][PersonName],
  others: readonly Row[],
): boolean {
  if (limit === undefined || !isLimited(row)) return false;
  if (limit.singleMinor !== null && row.amountMinor > limit.singleMinor) return true;
  if (limit.dayMinor === null) return false;
  const before = others.filter(
    (one) =>
      one.makerId === row.makerId &&
      isLimited(one) &&
      dayOf(one) === dayOf(row) &&
      one.createdAt <= row.createdAt &&
      !DEAD.includes(one.state),
  );
  return total(before) + row.amountMinor > limit.dayMinor;
}

export function signatureOf(
  { currency, amountMinor }: Pick<Row, 'currency' | 'amountMinor'>,
  policy: Governance['policy'],
): Strength {
  const stepUp = policy?.stepUp ?? null;
  const from = stepUp?.from.find((one) => one.currency === currency)?.fromMinor ?? null;
  if (stepUp === null || from === null || amountMinor < from) return 'none';
  return stepUp.signInAllowed ? 'any' : 'passkey';
}

function dayOf({ createdAt }: Row): number {
  return Math.floor((createdAt - MIDNIGHT_MS) / DAY);
}

function isToOthers({ kind }: Row): boolean {
  return CLASS[kind] === 'payout' || CLASS[kind] === 'transfer';
}

/** Money between own wallets leaves nobody’s hands; a refund does. */
function isLimited(row: Row): boolean {
  return isToOthers(row) || CLASS[row.kind] === 'refund';
}

function isPaid({ state, returned }: Row): boolean {
  return state === 'COMPLETED' && returned === 'NONE';
}

function accountOf({ iban, toWallet }: Row): string {
  return toWallet ?? iban;
}

export function total(rows: readonly Row[]): bigint {
  return rows.reduce((sum, one) => sum + one.amountMinor, 0n);
}
