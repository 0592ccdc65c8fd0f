import 'server-only';
import type { MovementContent } from '#lib/movements/content-text.ts';
import { judgeEarlier } from '#lib/movements/submit.ts';
import type { Earlier, Verdict } from '#lib/movements/submit.ts';
import { blocking, needsReason } from '#lib/payouts/rules.ts';
import type { Balance } from '#lib/payouts/judge.ts';
import type { PaymentType, Wallet } from '#lib/providers/wallet/types.ts';
import { keyText } from '#lib/values/person-key.ts';
import type { PayeeFacts } from './facts.ts';
import type { PersonFound } from './person.ts';
import { checkTransfer } from './rules.ts';
import type { TransferFacts, TransferFinding } from './rules.ts';
import type { TransferForm, TransferTyped } from './schema.ts';

/** The wallet that pays, as far as the rules need it. */
export type TransferBalance = Pick<Balance, 'availableMinor' | 'currency' | 'access'> & {
  limits: Pick<Wallet['limits'], 'walletToWalletMinor'>;
};

/**
 * Everything that the verdict on one form needs. The provider's current data of both sides is null
 * where it could not be queried or no query is needed; `types` is empty then.
 */
export type TransferFormFacts = {
  wallet: TransferBalance | null;
  receiver: Wallet | null;
  person: PersonFound | null;
  types: readonly PaymentType[];
  earlier: Earlier | null;
  payee: PayeeFacts;
};

/**
 * The verdict on one transfer, with the same rules as in the form's summary. It reads and writes
 * nothing, so that any number of forms can be judged with facts that were gathered once.
 */
export function judgeTransferForm(
  form: TransferForm,
  { wallet, receiver, person, types, earlier, payee }: TransferFormFacts,
): Verdict<TransferFinding> {
  const { content } = form;
  const { kind } = content;
  // Fields that the form lacks are taken from the stored intent.
  if (earlier !== null)
    return judgeEarlier(
      earlier,
      kind,
      contentOf(form, {
        currency: earlier.currency,
        toWallet: content.toWallet,
        ownName: earlier.name,
        foundName: earlier.foundName,
      }),
    );
  if (!wallet || (kind === 'transfer_own' && !receiver))
    return { kind: 'refused', code: 'wallet_unverified' };
  const type = types.find((one) => one.code === content.paymentType);
  // Without the payment type's own rule (its minimum description) the transfer cannot be checked,
  // so it is not stored.
  if (kind !== 'transfer_own' && type === undefined)
    return {
      kind: 'refused',
      code: types.length === 0 ? 'wallet_unverified' : 'payment_type_unknown',
    };
  const findings = checkTransfer(
    transferFactsOf(form, { wallet, receiver, person, type: type ?? null, payee }),
  );
  if (blocking(findings).length > 0 || needsReason(findings, form.overrides).length > 0)
    return { kind: 'findings', findings };
  // The rules have already blocked any result other than `found`.
  const found = person?.kind === 'found' ? person : null;
  if (kind === 'transfer_person' && !found)
    throw new Error('a transfer to a person needs the person to be found');
  return {
    kind: 'new',
    content: contentOf(form, {
      currency: wallet.currency,
      toWallet: found?.wallet ?? content.toWallet,
      ownName: receiver?.name ?? '',
      foundName: found?.name ?? null,
    }),
  };
}

/** The facts of the rules for one transfer, which may be incomplete. */
export function transferFactsOf(
  { content, writtenCurrency }: { content: Partial<TransferTyped>; writtenCurrency: string | null },
  {
    wallet,
    receiver,
    person,
    type,
    payee,
  }: Omit<TransferFormFacts, 'types' | 'earlier'> & {
    type: PaymentType | null;
  },
): TransferFacts {
  const isOwn = content.kind === 'transfer_own';
  return {
    content,
    writtenCurrency,
    wallet: wallet && {
      available: wallet.availableMinor,
      currency: wallet.currency,
      accessLevel: wallet.access,
      limits: { withdrawal: isOwn ? null : wallet.limits.walletToWalletMinor },
    },
    receiver: receiver && { access: receiver.access, currency: receiver.currency },
    person: content.kind === 'transfer_person' ? (person ?? { kind: 'unchecked' }) : null,
    paymentType: type && { code: type.code, minDescription: type.descriptionMin },
    recent: payee.recent,
    saved: payee.saved,
    foreign: payee.foreign,
    fee: payee.fee,
    now: payee.at,
  };
}

type Learned = { currency: string; toWallet: string; ownName: string; foundName: string | null };

function contentOf(
  { content }: TransferForm,
  { currency, toWallet, ownName, foundName }: Learned,
): MovementContent {
  const { kind, wallet, key, name, amountMinor, paymentType, description } = content;
  const isPerson = kind === 'transfer_person';
  return {
    wallet,
    iban: '',
    name: kind === 'transfer_own' ? ownName : name,
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
