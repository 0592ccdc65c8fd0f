import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { addDays, dayIn } from '#lib/values/dates.ts';
import type { DayRange } from '#lib/values/dates.ts';
import { normaliseIban } from '#lib/values/iban.ts';
import { toDecimal } from '#lib/values/money.ts';
import { accountOf } from './account.ts';
import type { Account } from './account.ts';
import { readPaidPayees } from './paid-payees.ts';
import type { PaidPayee, Skipped } from './paid-payees.ts';
import { rememberPayee } from './remember.ts';

/** How many days of withdraw requests are looked through, today included. */
export const BRING_DAYS = 90;
/** How many payees are listed, and saved by one press. */
export const BRING_MAX = 500;

/** A payee to save, as shown. Amounts are decimal text, times ISO. */
export type PayeeToBring = {
  /** The IBAN by which a press names the payee. */
  iban: string;
  account: Account;
  name: string;
  hasTaxNumber: boolean;
  count: number;
  lastAt: string;
  sums: { amount: string; currency: string }[];
};

/** `more`: how many payees follow the listed ones. */
export type PayeesToBring = {
  rows: PayeeToBring[];
  more: number;
  skipped: Skipped;
  now: string;
};

/** The days whose withdraw requests are looked through. */
export function daysToBring(now = new Date()): DayRange {
  const today = dayIn(now.toISOString(), env().timeZone);
  return { from: addDays(today, 1 - BRING_DAYS), to: today };
}

/**
 * The payees of the provider's completed withdraw requests of these days whose accounts are not
 * saved yet.
 *
 * @throws Refusal `not_allowed`
 */
export async function listPayeesToBring(actor: Person, days: DayRange): Promise<PayeesToBring> {
  assertMay(actor, 'payout.prepare');
  const whole = may(actor.role, 'payee.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const now = await databaseNow(tx);
    const { payees, skipped } = await readPaidPayees(tx, days);
    return {
      rows: payees.slice(0, BRING_MAX).map((payee) => toRow(payee, whole)),
      more: Math.max(0, payees.length - BRING_MAX),
      skipped,
      now: now.toISOString(),
    };
  });
}

/**
 * Saves the named payees as recipients, with what the provider's records say of them now; a payee
 * that is saved already stays unchanged. A saved account is no proven account: the checks of a
 * first payment read our own payments only.
 *
 * @throws Refusal `not_allowed`, `no_payee_picked`, `too_many_payees`
 */
export async function bringRecipients(
  actor: Person,
  ibans: readonly string[],
): Promise<{ saved: number }> {
  assertMay(actor, 'payout.prepare');
  const picked = new Set(ibans.map(normaliseIban).filter((iban) => iban !== ''));
  if (picked.size === 0) throw new Refusal('no_payee_picked');
  if (picked.size > BRING_MAX) throw new Refusal('too_many_payees', { max: BRING_MAX });
  return inTransaction(actor.merchantId, async (tx) => {
    await lockBringing(tx, actor.merchantId);
    const { payees } = await readPaidPayees(tx, daysToBring(await databaseNow(tx)));
    const chosen = payees.filter(({ iban }) => picked.has(iban));
    for (const { iban, name, taxNumber, lastAt } of chosen)
      await rememberPayee(tx, actor.merchantId, { number: iban, name, taxNumber }, lastAt);
    if (chosen.length > 0)
      await audit(tx, actor, 'recipient.brought', 'recipient:many', { count: chosen.length });
    return { saved: chosen.length };
  });
}

/**
 * Serializes the presses of a merchant: the second one finds the payees that the first has saved.
 */
async function lockBringing(tx: Tx, merchantId: string): Promise<void> {
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(${`recipients:${merchantId}`}, 0))`;
}

function toRow(payee: PaidPayee, whole: boolean): PayeeToBring {
  return {
    iban: payee.iban,
    account: accountOf(payee.iban, whole),
    name: payee.name,
    hasTaxNumber: payee.taxNumber !== '',
    count: payee.count,
    lastAt: payee.lastAt.toISOString(),
    sums: payee.sums.map(({ minor, currency }) => ({ amount: toDecimal(minor), currency })),
  };
}
