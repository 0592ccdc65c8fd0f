import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { refreshParent } from '#lib/movements/parent.ts';
import { submitJudged } from '#lib/movements/submit.ts';
import type { SubmitResult } from '#lib/movements/submit.ts';
import { aboutMovement } from '#lib/runtime/trace.ts';
import type { Locale } from '#lib/values/locale.ts';
import { freshWallet, paymentTypes } from '#lib/wallets/ask.ts';
import { askPerson } from './check-person.ts';
import { readPayeeFacts } from './facts.ts';
import { judgeTransferForm } from './judge.ts';
import type { TransferFormFacts } from './judge.ts';
import type { TransferFinding } from './rules.ts';
import type { TransferForm } from './schema.ts';

/**
 * Gathers the facts, judges the form and stores one transfer, like `submitPayout`. A person's
 * wallet number is the one that the provider returns now; the number shown in the form is only
 * compared with it.
 *
 * @throws Refusal not_allowed, wallet_unverified, payment_type_unknown, same_id_other_content,
 * not_found, parent_alive, parent_not_fresh, parent_not_listed, already_paid_again, too_many
 */
export async function submitTransfer(
  actor: Person,
  form: TransferForm,
  { locale, retryOf }: { locale: Locale; retryOf: string | null },
): Promise<SubmitResult<TransferFinding>> {
  assertMay(actor, 'payout.prepare');
  await countAttempt(actor, 'payout.create');
  const { id, kind, toWallet, name, wallet } = form.content;
  aboutMovement({ id, kind });
  const asked = await askProvider(form, locale);
  if (retryOf) await refreshParent(actor, { id, parentId: retryOf });
  const { overrides, overrideReason } = form;
  return submitJudged(
    actor,
    { id, kind, overrides, overrideReason, retryOf },
    async (tx, earlier) => {
      const payee = await readPayeeFacts(tx, {
        kind,
        toWallet,
        name: kind === 'transfer_own' ? null : name,
        wallet,
      });
      return judgeTransferForm(form, { ...asked, earlier, payee });
    },
  );
}

/** The provider's current facts; no transaction is open meanwhile. */
export async function askProvider(
  { content: { kind, wallet: from, toWallet, key } }: TransferForm,
  locale: Locale,
): Promise<Pick<TransferFormFacts, 'wallet' | 'receiver' | 'person' | 'types'>> {
  const wallet = await freshWallet(from);
  const [receiver, person, types] = await Promise.all([
    kind === 'transfer_own' ? freshWallet(toWallet) : null,
    key && wallet ? askPerson(key, wallet.currency) : null,
    kind === 'transfer_own' ? [] : paymentTypes(locale),
  ]);
  return { wallet, receiver, person, types };
}
