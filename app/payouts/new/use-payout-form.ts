'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import type { FormProblem, MoneyForm, PaymentChoice } from '#app/movements/form/money-form.ts';
import { addOverrides, reasonErrorOf, useOverrides } from '#app/movements/form/use-overrides.ts';
import { useSending } from '#app/movements/form/use-sending.ts';
import { toFormWallet, useWallets } from '#app/movements/form/use-wallets.ts';
import { useServerClock } from '#components/server-clock.ts';
import type { Locale } from '#lib/values/locale.ts';
import { draftSums, judgeDraft, readTyped } from '#lib/payouts/draft.ts';
import type { ReadPayout, TypedPayout } from '#lib/payouts/draft.ts';
import { blocking } from '#lib/payouts/rules.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import { CARD_BALANCE, walletOf } from '#lib/payouts/schema.ts';
import type { PayoutField } from '#lib/payouts/schema.ts';
import type { KnownView, WalletView } from '#lib/wallets/view.ts';
import { sendPayout } from './actions.ts';
import { useRecipient } from './use-recipient.ts';
import type { RecipientLookUp } from './use-recipient.ts';

export type FormFacts = {
  id: string;
  retryOf: string | null;
  typed: TypedPayout;
  wallets: KnownView<WalletView[]>;
  types: PaymentChoice[];
  /** Whether money may be paid out of the card balance. */
  card: boolean;
  /** Whether a stop of sending keeps payouts from a wallet, or from the card balance. */
  stopped: Record<'payout' | 'cashout', boolean>;
  now: string;
};

export type PayoutFormState = Omit<
  MoneyForm,
  'typed' | 'type' | 'read' | 'touched' | 'touch' | 'findings' | 'warnings'
> & {
  typed: TypedPayout;
  type: (field: keyof TypedPayout, text: string) => void;
  typeAll: (parts: Partial<TypedPayout>) => void;
  read: ReadPayout;
  touched: ReadonlySet<PayoutField>;
  touch: (field: PayoutField) => void;
  recipient: RecipientLookUp;
  findings: Finding[];
  warnings: Finding[];
};

/**
 * State of the form. It sends through a server action only, once, however often the button is
 * pressed.
 */
export function usePayoutForm(facts: FormFacts): PayoutFormState {
  const t = useTranslations('newPayout.wallet');
  const locale = useLocale() as Locale;
  const [typed, setTyped] = useState(facts.typed);
  const [touched, setTouched] = useState<ReadonlySet<PayoutField>>(new Set());
  const [step, setStep] = useState<'edit' | 'review'>('edit');
  const [problem, setProblem] = useState<FormProblem | null>(null);
  const [told, setTold] = useState<Finding[] | null>(null);
  const { wallets, askingWallets, askWallets } = useWallets(facts.wallets, () =>
    setProblem({ kind: 'signed_out' }),
  );
  const { isTicked, tick, reason, setReason } = useOverrides();
  const read = useMemo(() => readTyped(facts.id, typed, locale), [facts.id, typed, locale]);
  const recipient = useRecipient(read.content, () => setProblem({ kind: 'signed_out' }));
  const clock = useServerClock(
    recipient.answer?.at ?? facts.now,
    recipient.answer?.lastSendToIbanAt != null,
  );
  const { source } = read.content;
  const isCard = facts.card && source?.kind === 'card_balance';
  const wallet = isCard
    ? cardBalance(t('card'))
    : (wallets.value?.find((one) => one.number === walletOf(source)) ?? null);
  const formWallet =
    wallet === null
      ? null
      : { ...toFormWallet(wallet, wallets.fresh, 'withdrawal'), unasked: isCard };
  const paymentType = facts.types.find((one) => one.code === read.content.paymentType) ?? null;
  const judged = judgeDraft(read, {
    wallet: formWallet,
    paymentType,
    recipient: recipient.answer,
    now: new Date(clock).toISOString(),
  });
  // The server's findings stay until something is changed: its facts are newer than the page's.
  // Only the countdown goes on.
  const findings =
    told === null
      ? judged
      : [
          ...told.filter((finding) => finding.level !== 'wait'),
          ...judged.filter((finding) => finding.level === 'wait'),
        ];
  const warnings = findings.filter((finding) => finding.level === 'warn');
  const reasonError = reasonErrorOf(warnings, reason);
  const waiting = findings.find((finding) => finding.level === 'wait')?.params.seconds;
  const change = (parts: Partial<TypedPayout>): void => {
    setTyped((before) => ({ ...before, ...parts }));
    setTold(null);
    setProblem(null);
  };
  const submit = (): ReturnType<typeof sendPayout> =>
    sendPayout(formOf(facts, locale, { typed, warnings, reason }));
  const { sending, send } = useSending<Finding>({
    submit,
    setProblem,
    onFindings: (found) => {
      setTold(found);
      setStep('edit');
      void recipient.askAgain();
      void askWallets();
    },
  });
  return {
    typed,
    read,
    touched,
    wallets,
    wallet,
    askingWallets,
    recipient,
    findings,
    warnings,
    isTicked,
    reason,
    reasonError,
    step,
    problem,
    sending,
    send,
    type: (field, text) => change({ [field]: text }),
    typeAll: change,
    touch: (field) => setTouched((before) => new Set(before).add(field)),
    askWallets,
    tick,
    historyMissing: recipient.state === 'missing',
    signedInAgain: () => {
      setProblem(null);
      void recipient.askAgain();
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
      void recipient.askAgain();
      void askWallets();
    },
    sums: draftSums(read, formWallet, recipient.answer?.fee ?? null),
    waitSeconds: typeof waiting === 'number' ? waiting : 0,
    clean:
      Object.keys(read.errors).length === 0 &&
      blocking(findings).length === 0 &&
      warnings.every(isTicked) &&
      reasonError === null,
  };
}

/** The card balance in the shape of a wallet: the gateway has no query for its amount. */
function cardBalance(name: string): WalletView {
  return {
    number: CARD_BALANCE,
    name,
    currency: 'TRY',
    access: 'active',
    accessText: null,
    total: '',
    available: null,
    blocked: null,
    monthIn: null,
    monthOut: null,
    iban: null,
    limits: [],
    payable: true,
  };
}

function formOf(
  facts: FormFacts,
  locale: Locale,
  { typed, warnings, reason }: { typed: TypedPayout; warnings: Finding[]; reason: string },
): FormData {
  const form = new FormData();
  form.set('id', facts.id);
  form.set('locale', locale);
  if (facts.retryOf !== null) form.set('retryOf', facts.retryOf);
  for (const [name, text] of Object.entries(typed)) form.set(name, text);
  addOverrides(form, warnings, reason);
  return form;
}
