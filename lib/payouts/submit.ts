import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { refreshParent } from '#lib/movements/parent.ts';
import { submitJudged } from '#lib/movements/submit.ts';
import type { SubmitResult } from '#lib/movements/submit.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { aboutMovement } from '#lib/runtime/trace.ts';
import type { Locale } from '#lib/values/locale.ts';
import { freshWallet, paymentTypes } from '#lib/wallets/ask.ts';
import { offersCashout } from './card-balance/offered.ts';
import { readRecipientFacts } from './facts.ts';
import { CARD_BALANCE, judgePayout, kindNameOf } from './judge.ts';
import type { PayoutFormFacts } from './judge.ts';
import type { Finding } from './rules.ts';
import { walletOf } from './schema.ts';
import type { PayoutForm, PayoutSource } from './schema.ts';

/** What the caller asks for in the transaction that stores the payout, before it is judged. */
type InTx = (tx: Tx) => Promise<void>;

/**
 * Gathers the facts, judges the form and stores one intent. The same form submitted again returns
 * the same payout. From the card balance: the same checks, another kind.
 *
 * @throws Refusal not_allowed, cashout_not_configured, wallet_unverified, payment_type_unknown,
 * same_id_other_content, parent_alive, parent_not_fresh, parent_not_listed, already_paid_again,
 * not_found, too_many
 */
export async function submitPayout(
  actor: Person,
  form: PayoutForm,
  { locale, retryOf, inTx }: { locale: Locale; retryOf: string | null; inTx?: InTx },
): Promise<SubmitResult<Finding>> {
  assertMay(actor, 'payout.prepare');
  await countAttempt(actor, actor.apiKey === undefined ? 'payout.create' : 'payout.program');
  const { id, iban, name, taxNumber, source } = form.content;
  aboutMovement({ id, kind: kindNameOf(form) });
  const asked = await askSource(source, { locale, retryOf });
  if (retryOf) await refreshParent(actor, { id, parentId: retryOf });
  const { overrides, overrideReason } = form;
  return submitJudged(
    actor,
    { id, kind: kindNameOf(form), overrides, overrideReason, retryOf },
    async (tx, earlier) => {
      await inTx?.(tx);
      const recipient = await readRecipientFacts(tx, {
        iban,
        name,
        taxNumber,
        wallet: walletOf(source),
      });
      return judgePayout(form, { ...asked, earlier, recipient });
    },
  );
}

/**
 * The current data of the provider that holds the money; no transaction is open meanwhile.
 *
 * @throws Refusal cashout_not_configured, not_found
 */
async function askSource(
  source: PayoutSource,
  { locale, retryOf }: { locale: Locale; retryOf: string | null },
): Promise<Pick<PayoutFormFacts, 'balance' | 'types'>> {
  switch (source.kind) {
    case 'wallet':
      return { balance: await freshWallet(source.number), types: await paymentTypes(locale) };
    case 'card_balance':
      if (!offersCashout()) throw new Refusal('cashout_not_configured');
      // No "pay again" from the card balance: the gateway cannot be queried about the earlier one.
      if (retryOf) throw new Refusal('not_found');
      return { balance: CARD_BALANCE, types: null };
  }
}
