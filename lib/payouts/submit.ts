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
import type { KindName } from '#lib/movements/kinds.ts';
import { blocking, checkPayout, needsReason } from './rules.ts';
import type { Finding } from './rules.ts';
import { walletOf } from './schema.ts';
import type { PayoutForm, PayoutSource } from './schema.ts';

/** The balance that pays, as far as the rules need it. */
type Balance = Pick<Wallet, 'availableMinor' | 'currency' | 'access'> & {
  limits: Pick<Wallet['limits'], 'withdrawalMinor'>;
  unasked?: boolean;
};

/** The gateway's balance cannot be queried, and it pays out in lira. */
const CARD_BALANCE: Balance = {
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
 * same_id_other_content, parent_alive, parent_not_fresh, already_paid_again, too_many
 */
export async function submitPayout(
  actor: Person,
  form: PayoutForm,
  options: { locale: Locale; retryOf: string | null },
): Promise<SubmitResult> {
  assertMay(actor, 'payout.prepare');
  await countAttempt(actor, 'payout.create');
  const { wallet, types } = await askSource(form.content.source, options);
  const typeKnown = types === null || types.some((type) => type.code === form.content.paymentType);
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
      throw new Refusal(types?.length === 0 ? 'wallet_unverified' : 'payment_type_unknown');
    const findings = await judge(tx, form, wallet, types ?? []);
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

/**
 * What the source's provider says now: the balance, null when it does not answer, and the payment
 * types, null where a payout has none.
 *
 * @throws Refusal cashout_not_configured, not_found
 */
async function askSource(
  source: PayoutSource,
  { locale, retryOf }: { locale: Locale; retryOf: string | null },
): Promise<{ wallet: Balance | null; types: PaymentType[] | null }> {
  switch (source.kind) {
    case 'wallet':
      return { wallet: await freshWallet(source.number), types: await paymentTypes(locale) };
    case 'card_balance':
      if (!offersCashout()) throw new Refusal('cashout_not_configured');
      // No "pay again" from the card balance: the gateway cannot be queried about the earlier one.
      if (retryOf) throw new Refusal('not_found');
      return { wallet: CARD_BALANCE, types: null };
  }
}

function railOf({ content }: PayoutForm): KindName {
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

/** The same function as in the form's summary, with facts read inside this transaction. */
async function judge(
  tx: Tx,
  form: PayoutForm,
  wallet: Balance,
  types: PaymentType[],
): Promise<Finding[]> {
  const { content } = form;
  const facts = await readRecipientFacts(tx, {
    iban: content.iban,
    name: content.name,
    taxNumber: content.taxNumber,
    wallet: walletOf(content.source),
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
