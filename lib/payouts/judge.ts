import 'server-only';
import { CARD_BALANCE_PAYOUT } from '#lib/movements/kinds.ts';
import type { MovementContent } from '#lib/movements/content-text.ts';
import { judgeEarlier } from '#lib/movements/submit-judged.ts';
import type { Earlier, Verdict } from '#lib/movements/submit-judged.ts';
import type { PaymentType, Wallet } from '#lib/providers/wallet/types.ts';
import type { RecipientFacts } from './facts.ts';
import { blocking, checkPayout, needsReason } from './rules.ts';
import type { Finding } from './rules.ts';
import { CARD_BALANCE } from './schema.ts';
import type { PayoutForm } from './schema.ts';

/** The source of the money, as far as the rules need it. */
export type Source = Pick<Wallet, 'availableMinor' | 'currency' | 'access'> & {
  limits: Pick<Wallet['limits'], 'withdrawalMinor'>;
  unasked?: boolean;
};

/** The gateway's balance cannot be queried, and it pays out in lira. */
export const CARD_SOURCE: Source = {
  availableMinor: null,
  currency: 'TRY',
  access: 'active',
  limits: { withdrawalMinor: null },
  unasked: true,
};

/**
 * Everything that the verdict on one form needs. `source`: null when it could not be queried.
 * `types`: the provider's, empty when they could not be queried; the card balance has none.
 */
export type PayoutFormFacts = {
  source: Source | null;
  types: readonly PaymentType[];
  earlier: Earlier | null;
  recipient: RecipientFacts;
};

/**
 * The verdict on one payout, with the same rules as in the form's summary. It reads and writes
 * nothing, so that any number of forms can be judged with facts that were gathered once.
 */
export function judgePayout(
  form: PayoutForm,
  { source, types, earlier, recipient }: PayoutFormFacts,
): Verdict<Finding> {
  const { content } = form;
  if (earlier !== null)
    return judgeEarlier(
      earlier,
      railOf(form),
      contentOf(form, source?.currency ?? earlier.currency),
    );
  if (source === null) return { kind: 'refused', code: 'wallet_unverified' };
  const type = types.find((one) => one.code === content.paymentType);
  // Without the payment type's own rule (its minimum description) the payout cannot be checked, so
  // it is not stored.
  if (!isFromCards(form) && type === undefined)
    return {
      kind: 'refused',
      code: types.length === 0 ? 'wallet_unverified' : 'payment_type_unknown',
    };
  const findings = checkPayout({
    content,
    writtenCurrency: form.writtenCurrency,
    wallet: {
      available: source.availableMinor,
      currency: source.currency,
      accessLevel: source.access,
      limits: { withdrawal: source.limits.withdrawalMinor },
      unasked: source.unasked ?? false,
    },
    paymentType: type ? { code: type.code, minDescription: type.descriptionMin } : null,
    recent: recipient.recent,
    saved: recipient.saved,
    foreign: recipient.foreign,
    lastSendToIbanAt: recipient.lastSendToIbanAt,
    limitLeft: null,
    fee: recipient.fee,
    now: recipient.at,
  });
  if (blocking(findings).length > 0 || needsReason(findings, form.overrides).length > 0)
    return { kind: 'findings', findings };
  return { kind: 'new', content: contentOf(form, source.currency) };
}

export function isFromCards({ content }: PayoutForm): boolean {
  return content.wallet === CARD_BALANCE;
}

export function railOf(form: PayoutForm): string {
  return isFromCards(form) ? CARD_BALANCE_PAYOUT : 'payout';
}

function contentOf(form: PayoutForm, currency: string): MovementContent {
  const { iban, name, taxNumber, amountMinor, paymentType, description, phone } = form.content;
  const from = isFromCards(form)
    ? { wallet: '', phone: phone ?? null }
    : { wallet: form.content.wallet };
  return {
    ...from,
    iban,
    name,
    taxNumber,
    toWallet: null,
    foundBy: null,
    foundName: null,
    amountMinor,
    currency,
    paymentType,
    description,
  };
}
