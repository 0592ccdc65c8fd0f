'use client';

import { useLocale } from 'next-intl';
import { useMemo, useState } from 'react';
import type { FormProblem, MoneyForm, PaymentChoice } from '#app/movements/form/money-form.ts';
import { addOverrides, reasonErrorOf, useOverrides } from '#app/movements/form/use-overrides.ts';
import { useSending } from '#app/movements/form/use-sending.ts';
import { toFormWallet, useWallets } from '#app/movements/form/use-wallets.ts';
import type { Locale } from '#lib/values/locale.ts';
import { draftSums } from '#lib/payouts/draft.ts';
import { blocking } from '#lib/payouts/rules.ts';
import { judgeTransfer, readTypedTransfer } from '#lib/transfers/draft.ts';
import type { ReadTransfer, TypedTransfer } from '#lib/transfers/draft.ts';
import type { TransferFinding } from '#lib/transfers/rules.ts';
import type { TransferField } from '#lib/transfers/schema.ts';
import type { KnownView, LimitKind, WalletView } from '#lib/wallets/view.ts';
import { sendTransfer } from './actions.ts';
import { usePayee } from './use-payee.ts';
import type { PayeeLookUp } from './use-payee.ts';
import { usePerson } from './use-person.ts';
import type { PersonLookUp } from './use-person.ts';

export type TransferFormFacts = {
  id: string;
  retryOf: string | null;
  typed: TypedTransfer;
  wallets: KnownView<WalletView[]>;
  types: PaymentChoice[];
  now: string;
};

export type TransferFormState = Omit<
  MoneyForm,
  'typed' | 'type' | 'read' | 'touched' | 'touch' | 'findings' | 'warnings'
> & {
  typed: TypedTransfer;
  type: (field: keyof TypedTransfer, text: string) => void;
  read: ReadTransfer;
  touched: ReadonlySet<TransferField>;
  touch: (field: TransferField) => void;
  person: PersonLookUp;
  payee: PayeeLookUp;
  /** Between own wallets: the receiving one. */
  receiver: WalletView | null;
  /** The applicable limit of the paying wallet; between own wallets there is none. */
  limit: LimitKind | null;
  findings: TransferFinding[];
  warnings: TransferFinding[];
};

/**
 * State of the form. A person's wallet is never typed: it is the provider's answer, and the server
 * queries again.
 */
export function useTransferForm(facts: TransferFormFacts): TransferFormState {
  const locale = useLocale() as Locale;
  const [written, setWritten] = useState(facts.typed);
  const [touched, setTouched] = useState<ReadonlySet<TransferField>>(new Set());
  const [step, setStep] = useState<'edit' | 'review'>('edit');
  const [problem, setProblem] = useState<FormProblem | null>(null);
  const [told, setTold] = useState<TransferFinding[] | null>(null);
  const signedOut = (): void => setProblem({ kind: 'signed_out' });
  const { wallets, askingWallets, askWallets } = useWallets(facts.wallets, signedOut);
  const { isTicked, tick, reason, setReason } = useOverrides();
  const walletOf = (number: string): WalletView | null =>
    wallets.value?.find((one) => one.number === number) ?? null;
  const wallet = walletOf(written.wallet);
  const isOwn = written.rail === 'transfer_own';
  const key = useMemo(
    () => readTypedTransfer(facts.id, written, locale).key,
    [facts.id, written, locale],
  );
  const person = usePerson(key, wallet?.currency ?? null, signedOut);
  const found = person.person?.kind === 'found' ? person.person.wallet : '';
  const typed = useMemo(
    () => (written.rail === 'transfer_person' ? { ...written, toWallet: found } : written),
    [written, found],
  );
  const read = useMemo(() => readTypedTransfer(facts.id, typed, locale), [facts.id, typed, locale]);
  const payee = usePayee(read.content, signedOut);
  const limit: LimitKind | null = isOwn ? null : 'walletToWallet';
  const formWallet = wallet && toFormWallet(wallet, wallets.fresh, limit);
  const receiver = isOwn ? walletOf(typed.toWallet) : null;
  const findings =
    told ??
    judgeTransfer(read, {
      wallet: formWallet,
      receiver: receiver && toFormWallet(receiver, wallets.fresh, null),
      person: person.person,
      paymentType: facts.types.find((one) => one.code === read.content.paymentType) ?? null,
      payee: payee.answer,
      now: payee.answer?.at ?? facts.now,
    });
  const warnings = findings.filter((finding) => finding.level === 'warn');
  const reasonError = reasonErrorOf(warnings, reason);
  const lookAgain = (): void => {
    void person.askAgain();
    void payee.askAgain();
    void askWallets();
  };
  const { sending, send } = useSending<TransferFinding>({
    submit: () => sendTransfer(formOf(facts, locale, { typed, warnings, reason })),
    setProblem,
    onFindings: (heard) => {
      setTold(heard);
      setStep('edit');
      lookAgain();
    },
  });
  return {
    typed,
    read,
    touched,
    wallets,
    wallet,
    askingWallets,
    askWallets,
    person,
    payee,
    receiver,
    limit,
    findings,
    warnings,
    isTicked,
    tick,
    reason,
    reasonError,
    step,
    problem,
    sending,
    send,
    type: (field, text) => {
      setWritten((before) => ({
        ...before,
        [field]: text,
        ...(field === 'rail' ? { toWallet: '' } : {}),
      }));
      setTold(null);
      setProblem(null);
    },
    touch: (field) => setTouched((before) => new Set(before).add(field)),
    signedInAgain: () => {
      setProblem(null);
      lookAgain();
    },
    setReason: (text) => {
      setReason(text);
      setProblem(null);
    },
    setStep: (next) => {
      setStep(next);
      setProblem(null);
      if (next !== 'review') return;
      setTold(null);
      // The form may have been open for a while: what is sent is checked against present facts.
      lookAgain();
    },
    sums: draftSums(read, formWallet, payee.answer?.fee ?? null),
    historyMissing: payee.missing,
    waitSeconds: 0,
    clean:
      Object.keys(read.errors).length === 0 &&
      blocking(findings).length === 0 &&
      warnings.every(isTicked) &&
      reasonError === null,
  };
}

function formOf(
  facts: TransferFormFacts,
  locale: Locale,
  {
    typed,
    warnings,
    reason,
  }: { typed: TypedTransfer; warnings: TransferFinding[]; reason: string },
): FormData {
  const form = new FormData();
  form.set('id', facts.id);
  form.set('locale', locale);
  if (facts.retryOf !== null) form.set('retryOf', facts.retryOf);
  for (const [name, text] of Object.entries(typed)) form.set(name, text);
  addOverrides(form, warnings, reason);
  return form;
}
