import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { Locale } from '#lib/values/locale.ts';
import { contentHash } from '#lib/movements/content.ts';
import type { MovementContent } from '#lib/movements/content-text.ts';
import { findMovement, storeIntent, lockSubmissions } from '#lib/movements/intent.ts';
import { parentMayBePaidAgain, refreshParent } from '#lib/movements/parent.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import { blocking, needsReason } from '#lib/payouts/rules.ts';
import type { PaymentType, Wallet } from '#lib/providers/wallet/types.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { freshWallet, paymentTypes } from '#lib/wallets/ask.ts';
import { askPerson } from './check-person.ts';
import { readPayeeFacts } from './facts.ts';
import { keyText } from '#lib/values/person-key.ts';
import type { PersonFound } from './person.ts';
import { checkTransfer } from './rules.ts';
import type { TransferFinding } from './rules.ts';
import type { TransferForm } from './schema.ts';

export type TransferResult =
  /** The transfer's page; for a second submit of the same form, the page of the first. */
  | { kind: 'submitted'; id: string }
  /** Not stored: findings that block it, or that need a tick and a reason. */
  | { kind: 'findings'; findings: TransferFinding[] };

/**
 * The provider's current data of both sides; null where it could not be queried or no query is
 * needed.
 */
type Answers = {
  wallet: Wallet | null;
  receiver: Wallet | null;
  person: PersonFound | null;
  types: PaymentType[];
};

/**
 * Stores one transfer with its reference, content hash and audit entries in one transaction, ready
 * to be sent, like `submitPayout`. A person's wallet number is the one that the provider returns
 * now; the number shown in the form is only compared with it.
 *
 * @throws Refusal not_allowed, wallet_unverified, payment_type_unknown, same_id_other_content,
 * not_found, parent_alive, parent_not_fresh, parent_not_listed, already_paid_again, too_many
 */
export async function submitTransfer(
  actor: Person,
  form: TransferForm,
  options: { locale: Locale; retryOf: string | null },
): Promise<TransferResult> {
  assertMay(actor, 'payout.prepare');
  await countAttempt(actor, 'payout.create');
  const { id, rail } = form.content;
  const answers = await askAll(form, options.locale);
  if (options.retryOf) await refreshParent(actor, { id, parentId: options.retryOf });
  return inTransaction(actor.merchantId, async (tx) => {
    await lockSubmissions(tx, actor.merchantId);
    const earlier = await findMovement(tx, id);
    if (earlier) return sameIntent(earlier, form);
    const { wallet, receiver, person } = answers;
    if (!wallet || (rail === 'transfer_own' && !receiver)) throw new Refusal('wallet_unverified');
    // Without the payment type's own rule (its minimum description) the transfer cannot be checked,
    // so it is not stored.
    if (
      rail !== 'transfer_own' &&
      !answers.types.some((type) => type.code === form.content.paymentType)
    )
      throw new Refusal(answers.types.length === 0 ? 'wallet_unverified' : 'payment_type_unknown');
    const findings = await judge(tx, form, { ...answers, wallet });
    if (blocking(findings).length > 0 || needsReason(findings, form.overrides).length > 0)
      return { kind: 'findings', findings };
    // The rules have already blocked any result other than `found`.
    const found = person?.kind === 'found' ? person : null;
    if (rail === 'transfer_person' && !found)
      throw new Error('a transfer to a person needs the person to be found');
    if (options.retryOf) await parentMayBePaidAgain(tx, options.retryOf, rail);
    const content = contentOf(form, {
      currency: wallet.currency,
      toWallet: found?.wallet ?? form.content.toWallet,
      ownName: receiver?.name ?? '',
      foundName: found?.name ?? null,
    });
    const { overrides, overrideReason } = form;
    await storeIntent(tx, actor, {
      id,
      rail,
      content,
      overrides,
      overrideReason,
      retryOf: options.retryOf,
    });
    return { kind: 'submitted', id };
  });
}

async function askAll(
  { content: { rail, wallet: from, toWallet, key } }: TransferForm,
  locale: Locale,
): Promise<Answers> {
  const wallet = await freshWallet(from);
  const [receiver, person, types] = await Promise.all([
    rail === 'transfer_own' ? freshWallet(toWallet) : null,
    key && wallet ? askPerson(key, wallet.currency) : null,
    rail === 'transfer_own' ? [] : paymentTypes(locale),
  ]);
  return { wallet, receiver, person, types };
}

/** Compares with the stored intent; fields that the form lacks are taken from it. */
function sameIntent(earlier: MovementRow, form: TransferForm): TransferResult {
  const { currency, name: ownName, foundName } = earlier;
  if (
    earlier.contentHash !==
    contentHash(
      form.content.rail,
      contentOf(form, { currency, toWallet: form.content.toWallet, ownName, foundName }),
    )
  )
    throw new Refusal('same_id_other_content', { id: earlier.id });
  return { kind: 'submitted', id: earlier.id };
}

type Learned = { currency: string; toWallet: string; ownName: string; foundName: string | null };

function contentOf(
  { content }: TransferForm,
  { currency, toWallet, ownName, foundName }: Learned,
): MovementContent {
  const { rail, wallet, key, name, amountMinor, paymentType, description } = content;
  const isPerson = rail === 'transfer_person';
  return {
    wallet,
    iban: '',
    name: rail === 'transfer_own' ? ownName : name,
    taxNumber: '',
    toWallet,
    foundBy: isPerson && key ? keyText(key) : null,
    foundName: isPerson ? foundName : null,
    amountMinor,
    currency,
    paymentType,
    description,
  };
}

/** The same function as in the form's summary, with facts read inside this transaction. */
async function judge(
  tx: Tx,
  form: TransferForm,
  { wallet, receiver, person, types }: Answers & { wallet: Wallet },
): Promise<TransferFinding[]> {
  const { content } = form;
  const facts = await readPayeeFacts(tx, {
    rail: content.rail,
    toWallet: content.toWallet,
    name: content.rail === 'transfer_own' ? null : content.name,
    wallet: content.wallet,
  });
  const type = types.find((one) => one.code === content.paymentType);
  return checkTransfer({
    content,
    writtenCurrency: form.writtenCurrency,
    wallet: {
      available: wallet.availableMinor,
      currency: wallet.currency,
      accessLevel: wallet.access,
      limits: {
        withdrawal: content.rail === 'transfer_own' ? null : wallet.limits.walletToWalletMinor,
      },
    },
    receiver: receiver && { access: receiver.access, currency: receiver.currency },
    person: content.rail === 'transfer_person' ? (person ?? { kind: 'unchecked' }) : null,
    paymentType: type ? { code: type.code, minDescription: type.descriptionMin } : null,
    recent: facts.recent,
    saved: facts.saved,
    foreign: facts.foreign,
    fee: facts.fee,
    now: facts.at,
  });
}
