import type { Locale } from '#lib/values/locale.ts';
import { parseAmount, parseDecimal } from '#lib/values/money.ts';
import type { Minor } from '#lib/values/money.ts';
import { isTransfer } from '#lib/movements/kinds.ts';
import type { TransferKindName } from '#lib/movements/kinds.ts';
import type { FormWallet } from '#lib/payouts/draft.ts';
import type { FeeEstimate } from '#lib/payouts/rules.ts';
import type { SavedPayee } from '#lib/payment-checks/findings.ts';
import { oneLine } from '#lib/form-fields/money-form.ts';
import { readAccount } from './person.ts';
import { readPhone } from '#lib/form-fields/phone.ts';
import type { PersonFound } from './person.ts';
import type { PersonKey } from '#lib/values/person-key.ts';
import { checkTransfer } from './rules.ts';
import type { OwnTransfer, TransferFacts, TransferFinding } from './rules.ts';
import { transferFieldErrors, transferSchema } from './schema.ts';
import type { TransferField, TransferFieldError, TransferTyped, TRANSFER_TEXTS } from './schema.ts';

/**
 * A transfer while it is being typed, read and checked with the same schema and rules as in the
 * submitting verb. Pure.
 */

export type TypedTransfer = Record<(typeof TRANSFER_TEXTS)[number], string>;

export const NO_TRANSFER_TYPED: TypedTransfer = {
  kind: 'transfer_person',
  wallet: '',
  by: 'phone',
  country: '90',
  phone: '',
  account: '',
  name: '',
  toWallet: '',
  amount: '',
  paymentType: '',
  description: '',
};

export type ReadTransfer = {
  /** The fields that are well formed. */
  content: Partial<TransferTyped>;
  /** The key of the person to query, once it is complete. */
  key: PersonKey | null;
  writtenCurrency: string | null;
  errors: Partial<Record<TransferField, TransferFieldError>>;
  /** The two amounts that the text can mean; only the person may choose. */
  readings: [Minor, Minor] | null;
};

/** Our own data about the receiving wallet; null before it is looked up. */
export type PayeeAnswer = {
  recent: OwnTransfer[];
  saved: SavedPayee | null;
  foreign: TransferFacts['foreign'][number][];
  fee: FeeEstimate | null;
  at: string;
};

export function readTypedTransfer(id: string, typed: TypedTransfer, locale: Locale): ReadTransfer {
  const parsed = transferSchema.safeParse({
    id,
    ...typed,
    locale,
    overrides: [],
    overrideReason: '',
  });
  const errors: ReadTransfer['errors'] = {};
  if (!parsed.success)
    for (const error of transferFieldErrors(parsed.error)) errors[error.field] ??= error;
  const amount = parseAmount(typed.amount, locale);
  const kind: TransferKindName | null = isTransfer(typed.kind) ? typed.kind : null;
  const key = kind === 'transfer_person' ? keyOf(typed) : null;
  const content: Partial<TransferTyped> = { id, ...(kind === null ? {} : { kind }), key };
  if (!errors.wallet) content.wallet = typed.wallet.trim();
  // `person_not_checked` is an error of the name field too, but a complete name is still checked.
  if (kind !== 'transfer_own' && (!errors.name || errors.name.code === 'person_not_checked'))
    content.name = oneLine(typed.name);
  if (!errors.toWallet && typed.toWallet.trim() !== '')
    content.toWallet = typed.toWallet.replace(/\s/gu, '');
  if (amount.kind === 'ok') content.amountMinor = amount.minor;
  if (!errors.paymentType)
    content.paymentType = kind === 'transfer_own' ? '' : typed.paymentType.trim();
  if (!errors.description) content.description = oneLine(typed.description);
  return {
    content,
    key,
    writtenCurrency: amount.kind === 'ok' ? amount.written : null,
    errors,
    readings: amount.kind === 'ambiguous' ? amount.readings : null,
  };
}

function keyOf({ by, country, phone, account }: TypedTransfer): PersonKey | null {
  const read = by === 'account' ? readAccount(account) : readPhone(country, phone);
  if ('error' in read) return null;
  return 'account' in read ? { by: 'account', ...read } : { by: 'phone', ...read };
}

export type TransferDraftFacts = {
  wallet: FormWallet | null;
  receiver: FormWallet | null;
  person: PersonFound | null;
  paymentType: { code: string; descriptionMin: number } | null;
  payee: PayeeAnswer | null;
  /** The server's clock. */
  now: string;
};

/**
 * `withdrawalLimit` of the wallet is the transfer limit here; between own wallets there is none.
 */
export function judgeTransfer(
  read: ReadTransfer,
  { wallet, receiver, person, paymentType, payee, now }: TransferDraftFacts,
): TransferFinding[] {
  return checkTransfer({
    content: read.content,
    writtenCurrency: read.writtenCurrency,
    wallet: wallet && {
      available: wallet.available === null ? null : parseDecimal(wallet.available),
      currency: wallet.currency,
      accessLevel: wallet.access,
      limits: {
        withdrawal: wallet.withdrawalLimit === null ? null : parseDecimal(wallet.withdrawalLimit),
      },
    },
    receiver: receiver && { access: receiver.access, currency: receiver.currency },
    person,
    paymentType: paymentType && {
      code: paymentType.code,
      minDescription: paymentType.descriptionMin,
    },
    recent: payee?.recent ?? null,
    saved: payee?.saved ?? null,
    foreign: payee?.foreign ?? [],
    fee: payee?.fee ?? null,
    now,
  });
}
