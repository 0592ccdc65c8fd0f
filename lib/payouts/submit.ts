import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { offersCashout } from './card-balance/offered.ts';
import type { Locale } from '#lib/values/locale.ts';
import { contentHash } from '#lib/movements/content.ts';
import type { MovementContent } from '#lib/movements/content-text.ts';
import { findMovement, storeIntent, lockSubmissions } from '#lib/movements/intent.ts';
import { parentMayBePaidAgain, refreshParent } from '#lib/movements/parent.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { PaymentType, Wallet } from '#lib/providers/wallet/types.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { freshWallet, paymentTypes } from '#lib/wallets/ask.ts';
import { readRecipientFacts } from './facts.ts';
import { CARD_BALANCE_PAYOUT } from '#lib/movements/kinds.ts';
import { blocking, checkPayout, needsReason } from './rules.ts';
import type { Finding } from './rules.ts';
import { CARD_BALANCE } from './schema.ts';
import type { PayoutForm } from './schema.ts';

/** The source of the money, as far as the rules need it. */
type Source = Pick<Wallet, 'availableMinor' | 'currency' | 'access'> & {
  limits: Pick<Wallet['limits'], 'withdrawalMinor'>;
  unasked?: boolean;
};

/** The gateway's balance cannot be queried, and it pays out in lira. */
const CARD_SOURCE: Source = {
  availableMinor: null,
  currency: 'TRY',
  access: 'active',
  limits: { withdrawalMinor: null },
  unasked: true,
};

export type SubmitResult =
  /** The payout's page; for a second submit of the same form, the page of the first. */
  | { kind: 'submitted'; id: string }
  /** Not stored: findings that block it, or that need a tick and a reason. */
  | { kind: 'findings'; findings: Finding[] };

/**
 * Stores one intent with its reference, content hash and audit entries in one transaction, ready to
 * be sent. No request is made here: the worker claims the row. The same form submitted again
 * returns the same payout.
 *
 * From the card balance: the same checks, another kind.
 *
 * @throws Refusal not_allowed, cashout_not_configured, wallet_unverified, payment_type_unknown,
 * same_id_other_content, parent_alive, parent_not_fresh, parent_not_listed, already_paid_again,
 * too_many
 */
export async function submitPayout(
  actor: Person,
  form: PayoutForm,
  options: { locale: Locale; retryOf: string | null },
): Promise<SubmitResult> {
  assertMay(actor, 'payout.prepare');
  await countAttempt(actor, 'payout.create');
  const isCard = isFromCards(form);
  if (isCard && !offersCashout()) throw new Refusal('cashout_not_configured');
  // No "pay again" from the card balance: the gateway cannot be queried about the earlier payout.
  if (isCard && options.retryOf) throw new Refusal('not_found');
  const wallet: Source | null = isCard ? CARD_SOURCE : await freshWallet(form.content.wallet);
  const types = isCard ? [] : await paymentTypes(options.locale);
  const typeKnown = isCard || types.some((type) => type.code === form.content.paymentType);
  if (options.retryOf)
    await refreshParent(actor, { id: form.content.id, parentId: options.retryOf });
  return inTransaction(actor.merchantId, async (tx) => {
    await lockSubmissions(tx, actor.merchantId);
    const earlier = await findMovement(tx, form.content.id);
    if (!wallet) {
      if (earlier) return sameIntent(earlier, form, earlier.currency);
      throw new Refusal('wallet_unverified');
    }
    if (earlier) return sameIntent(earlier, form, wallet.currency);
    // Without the payment type's own rule (its minimum description) the payout cannot be checked,
    // so it is not stored.
    if (!typeKnown)
      throw new Refusal(types.length === 0 ? 'wallet_unverified' : 'payment_type_unknown');
    const findings = await judge(tx, form, wallet, types);
    if (blocking(findings).length > 0 || needsReason(findings, form.overrides).length > 0)
      return { kind: 'findings', findings };
    if (options.retryOf) await parentMayBePaidAgain(tx, options.retryOf, railOf(form));
    const { overrides, overrideReason } = form;
    await storeIntent(tx, actor, {
      id: form.content.id,
      rail: railOf(form),
      content: contentOf(form, wallet.currency),
      overrides,
      overrideReason,
      retryOf: options.retryOf,
    });
    return { kind: 'submitted', id: form.content.id };
  });
}

function sameIntent(earlier: MovementRow, form: PayoutForm, currency: string): SubmitResult {
  if (earlier.contentHash !== contentHash(railOf(form), contentOf(form, currency)))
    throw new Refusal('same_id_other_content', { id: earlier.id });
  return { kind: 'submitted', id: earlier.id };
}

function isFromCards({ content }: PayoutForm): boolean {
  return content.wallet === CARD_BALANCE;
}

function railOf(form: PayoutForm): string {
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

/** The same function as in the form's summary, with facts read inside this transaction. */
async function judge(
  tx: Tx,
  form: PayoutForm,
  wallet: Source,
  types: PaymentType[],
): Promise<Finding[]> {
  const { content } = form;
  const facts = await readRecipientFacts(tx, {
    iban: content.iban,
    name: content.name,
    taxNumber: content.taxNumber,
    wallet: content.wallet,
  });
  const type = types.find((one) => one.code === content.paymentType);
  return checkPayout({
    content,
    writtenCurrency: form.writtenCurrency,
    wallet: {
      available: wallet.availableMinor,
      currency: wallet.currency,
      accessLevel: wallet.access,
      limits: { withdrawal: wallet.limits.withdrawalMinor },
      unasked: wallet.unasked ?? false,
    },
    paymentType: type ? { code: type.code, minDescription: type.descriptionMin } : null,
    recent: facts.recent,
    saved: facts.saved,
    foreign: facts.foreign,
    lastSendToIbanAt: facts.lastSendToIbanAt,
    limitLeft: null,
    fee: facts.fee,
    now: facts.at,
  });
}
