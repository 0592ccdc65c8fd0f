import 'server-only';
import { CARD_BALANCE_PAYOUT } from '#lib/movements/kinds.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import type { MovementContent } from '#lib/movements/content-text.ts';
import { judgeEarlier } from '#lib/movements/submit.ts';
import type { Earlier, Verdict } from '#lib/movements/submit.ts';
import type { PaymentType, Wallet } from '#lib/providers/wallet/types.ts';
import type { RecipientFacts } from './facts.ts';
import { blocking, checkPayout, needsReason } from './rules.ts';
import type { Finding, PayoutFacts } from './rules.ts';
import { walletOf } from './schema.ts';
import type { PayoutContent, PayoutForm } from './schema.ts';

/** The balance that pays, as far as the rules need it. */
export type Balance = Pick<Wallet, 'availableMinor' | 'currency' | 'access'> & {
  limits: Pick<Wallet['limits'], 'withdrawalMinor'>;
  unasked?: boolean;
};

/** The card balance as the rules see it: its amount cannot be queried, and it pays out in lira. */
export const CARD_BALANCE: Balance = {
  availableMinor: null,
  currency: 'TRY',
  access: 'active',
  limits: { withdrawalMinor: null },
  unasked: true,
};

/**
 * Everything that the verdict on one form needs. `balance`: null when it could not be queried.
 * `types`: the provider's, empty when they could not be queried, null where a payout has none.
 */
export type PayoutFormFacts = {
  balance: Balance | null;
  types: readonly PaymentType[] | null;
  earlier: Earlier | null;
  recipient: RecipientFacts;
};

/**
 * The verdict on one payout, with the same rules as in the form's summary. It reads and writes
 * nothing, so that any number of forms can be judged with facts that were gathered once.
 */
export function judgePayout(
  form: PayoutForm,
  { balance, types, earlier, recipient }: PayoutFormFacts,
): Verdict<Finding> {
  const { content } = form;
  if (earlier !== null)
    return judgeEarlier(
      earlier,
      kindNameOf(form),
      contentOf(form, balance?.currency ?? earlier.currency),
    );
  if (balance === null) return { kind: 'refused', code: 'wallet_unverified' };
  const type = types?.find((one) => one.code === content.paymentType);
  // Without the payment type's own rule (its minimum description) the payout cannot be checked, so
  // it is not stored.
  if (types !== null && type === undefined)
    return {
      kind: 'refused',
      code: types.length === 0 ? 'wallet_unverified' : 'payment_type_unknown',
    };
  const findings = checkPayout(factsOf(form, { balance, type: type ?? null, recipient }));
  if (blocking(findings).length > 0 || needsReason(findings, form.overrides).length > 0)
    return { kind: 'findings', findings };
  return { kind: 'new', content: contentOf(form, balance.currency) };
}

/** The facts of the rules for one payout, which may be incomplete. */
export function factsOf(
  { content, writtenCurrency }: { content: Partial<PayoutContent>; writtenCurrency: string | null },
  facts: { balance: Balance | null; type: PaymentType | null; recipient: RecipientFacts },
): PayoutFacts {
  const { balance, type, recipient } = facts;
  return {
    content,
    writtenCurrency,
    wallet: balance && {
      available: balance.availableMinor,
      currency: balance.currency,
      accessLevel: balance.access,
      limits: { withdrawal: balance.limits.withdrawalMinor },
      unasked: balance.unasked ?? false,
    },
    paymentType: type && { code: type.code, minDescription: type.descriptionMin },
    recent: recipient.recent,
    saved: recipient.saved,
    foreign: recipient.foreign,
    lastSendToIbanAt: recipient.lastSendToIbanAt,
    limitLeft: null,
    fee: recipient.fee,
    now: recipient.at,
  };
}

export function kindNameOf({ content }: PayoutForm): KindName {
  return content.source.kind === 'wallet' ? 'payout' : CARD_BALANCE_PAYOUT;
}

function contentOf(form: PayoutForm, currency: string): MovementContent {
  const { iban, name, taxNumber, amountMinor, paymentType, description, phone } = form.content;
  const wallet = walletOf(form.content.source);
  return {
    ...(wallet === null ? { wallet: '', phone: phone ?? null } : { wallet }),
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
