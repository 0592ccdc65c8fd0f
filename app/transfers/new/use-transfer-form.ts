'use client';

import { useLocale } from 'next-intl';
import { useMemo } from 'react';
import type { PaymentChoice } from '#app/movements/form/money-form.ts';
import { useKeptDraft } from '#app/movements/form/use-kept-draft.ts';
import { useDraft, useJudged } from '#app/movements/form/use-money-form.ts';
import type { Judged, MoneyFormFacts } from '#app/movements/form/use-money-form.ts';
import { toFormWallet } from '#app/movements/form/use-wallets.ts';
import type { Locale } from '#lib/values/locale.ts';
import { draftSums } from '#lib/payouts/draft.ts';
import type { DraftSums } from '#lib/payouts/draft.ts';
import { judgeTransfer, readTypedTransfer } from '#lib/transfers/draft.ts';
import type { ReadTransfer, TypedTransfer } from '#lib/transfers/draft.ts';
import type { TransferFinding } from '#lib/transfers/rules.ts';
import type { TransferField } from '#lib/transfers/schema.ts';
import type { LimitKind, WalletView } from '#lib/wallets/view.ts';
import { sendTransfer } from './actions.ts';
import { usePayee } from './use-payee.ts';
import type { PayeeLookUp } from './use-payee.ts';
import { usePerson } from './use-person.ts';
import type { PersonLookUp } from './use-person.ts';

export type TransferFormFacts = MoneyFormFacts<TypedTransfer> & {
  types: PaymentChoice[];
  now: string;
  /** As in `kept-draft.ts`. */
  keptAs: string;
};

export type TransferFormState = Judged<TransferFinding> & {
  facts: TransferFormFacts;
  ownLimits: TransferFormFacts['ownLimits'];
  typed: TypedTransfer;
  type: (field: keyof TypedTransfer, text: string) => void;
  read: ReadTransfer;
  touched: ReadonlySet<TransferField>;
  touch: (field: TransferField) => void;
  wallet: WalletView | null;
  person: PersonLookUp;
  payee: PayeeLookUp;
  /** The receiving wallet of a transfer between own wallets. */
  receiver: WalletView | null;
  /** The applicable limit of the paying wallet; between own wallets there is none. */
  limit: LimitKind | null;
  sums: DraftSums;
  historyMissing: boolean;
};

/**
 * State of the form. A person's wallet is never typed: it is the provider's answer, and the server
 * queries again.
 */
export function useTransferForm(facts: TransferFormFacts): TransferFormState {
  const locale = useLocale() as Locale;
  const draft = useDraft<TypedTransfer, TransferField, TransferFinding>(facts);
  const { typed: written, wallets } = draft;
  useKeptDraft(facts.keptAs, draft, draft.change);
  const walletOf = (number: string): WalletView | null =>
    wallets.value?.find((one) => one.number === number) ?? null;
  const wallet = walletOf(written.wallet);
  const isOwn = written.kind === 'transfer_own';
  const key = useMemo(
    () => readTypedTransfer(facts.id, written, locale).key,
    [facts.id, written, locale],
  );
  const person = usePerson(key, wallet?.currency ?? null, draft.signedOut);
  const found = person.person?.kind === 'found' ? person.person.wallet : '';
  const typed = useMemo(
    () => (written.kind === 'transfer_person' ? { ...written, toWallet: found } : written),
    [written, found],
  );
  const read = useMemo(() => readTypedTransfer(facts.id, typed, locale), [facts.id, typed, locale]);
  const payee = usePayee(read.content, draft.signedOut);
  const limit: LimitKind | null = isOwn ? null : 'walletToWallet';
  const formWallet = wallet && toFormWallet(wallet, wallets.fresh, limit);
  const receiver = isOwn ? walletOf(typed.toWallet) : null;
  const judged = useJudged(draft, {
    locale,
    typed,
    judged: judgeTransfer(read, {
      wallet: formWallet,
      receiver: receiver && toFormWallet(receiver, wallets.fresh, null),
      person: person.person,
      paymentType: facts.types.find((one) => one.code === read.content.paymentType) ?? null,
      payee: payee.answer,
      now: payee.answer?.at ?? facts.now,
    }),
    isRead: Object.keys(read.errors).length === 0,
    askAgain: () => {
      void person.askAgain();
      void payee.askAgain();
    },
    action: sendTransfer,
  });
  return {
    ...judged,
    facts,
    ownLimits: limit === null ? [] : facts.ownLimits,
    typed,
    type: (field, text) =>
      draft.change({ [field]: text, ...(field === 'kind' ? { toWallet: '' } : {}) }),
    read,
    touched: draft.touched,
    touch: draft.touch,
    wallet,
    person,
    payee,
    receiver,
    limit,
    sums: draftSums(read, formWallet, payee.answer?.fee ?? null),
    historyMissing: payee.missing,
  };
}
