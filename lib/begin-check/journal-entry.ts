import 'server-only';
import type { MovementRow } from '#lib/movements/row.ts';
import { keyedHashes } from '#lib/runtime/seal.ts';
import type { SendJournalEntry } from './send-journal.ts';

/**
 * Send kinds that are not movements; a movement's kind is its own name. `card_completion`: the
 * second step of a checkout.
 */
export const PLAN_CHARGE = 'plan_charge';
export const CARD_CHARGE = 'card_charge';
export const CARD_COMPLETION = 'card_completion';

type Written = Omit<SendJournalEntry, 'payeeHash' | 'at'> & { payee: string };

/**
 * The journal entry of any send. `payee`: only its keyed hash is written, by which the payment
 * rules find a payment to the same payee that a restore has lost.
 */
export function journalEntry({ payee, ...entry }: Written): SendJournalEntry {
  return { ...entry, payeeHash: payeeHashes(payee)[0], at: new Date().toISOString() };
}

/** The entry of a claimed movement: this send is already counted in `sends`. */
export function movementEntry(movement: MovementRow): SendJournalEntry {
  const { kind, extId: reference, amountMinor, currency, card, sends: attempt } = movement;
  return journalEntry({
    kind,
    reference,
    attempt,
    amountMinor,
    currency,
    payee: payeeOf(movement),
    ...(card === null ? {} : { about: card.invoiceId }),
  });
}

/** `reference` is the id of the charge; people find it at the gateway by the plan's code. */
export function planChargeEntry(charge: {
  id: string;
  amountMinor: bigint;
  currency: string;
  planCode: string;
}): SendJournalEntry {
  const { id: reference, amountMinor, currency, planCode } = charge;
  return journalEntry({
    kind: PLAN_CHARGE,
    reference,
    amountMinor,
    currency,
    payee: planCode,
    about: planCode,
  });
}

/** `reference` is the order number: each one is charged once and completed once. */
export function cardChargeEntry(
  kind: typeof CARD_CHARGE | typeof CARD_COMPLETION,
  charge: { invoiceId: string; amountMinor: bigint; currency: string },
): SendJournalEntry {
  const { invoiceId, amountMinor, currency } = charge;
  return journalEntry({
    kind,
    reference: invoiceId,
    amountMinor,
    currency,
    payee: invoiceId,
    about: invoiceId,
  });
}

/** Hashes under every key in use, the newest first. */
export function payeeHashes(payee: string): [string, ...string[]] {
  return keyedHashes('send-journal-payee', payee.replaceAll(/\s/g, '').toUpperCase());
}

function payeeOf({
  iban,
  toWallet,
  card,
}: Pick<MovementRow, 'iban' | 'toWallet' | 'card'>): string {
  return card?.invoiceId ?? toWallet ?? iban;
}
