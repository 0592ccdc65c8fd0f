'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useMemo } from 'react';
import type { PaymentChoice } from '#app/movements/form/money-form.ts';
import { useKeptDraft } from '#app/movements/form/use-kept-draft.ts';
import { useDraft, useJudged } from '#app/movements/form/use-money-form.ts';
import type { Judged, MoneyFormFacts } from '#app/movements/form/use-money-form.ts';
import { toFormWallet } from '#app/movements/form/use-wallets.ts';
import { useServerClock } from '#components/server-clock.ts';
import type { Locale } from '#lib/values/locale.ts';
import { draftSums, judgeDraft, readTyped } from '#lib/payouts/draft.ts';
import type { DraftSums, ReadPayout, TypedPayout } from '#lib/payouts/draft.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import { CARD_BALANCE, walletOf } from '#lib/payouts/schema.ts';
import type { PayoutField } from '#lib/payouts/schema.ts';
import type { WalletView } from '#lib/wallets/view.ts';
import { sendPayout } from './actions.ts';
import { useRecipient } from './use-recipient.ts';
import type { RecipientLookUp } from './use-recipient.ts';

export type FormFacts = MoneyFormFacts<TypedPayout> & {
  types: PaymentChoice[];
  /** Whether money may be paid out of the card balance. */
  card: boolean;
  /** Whether a stop of sending keeps payouts from a wallet, or from the card balance. */
  stopped: Record<'payout' | 'cashout', boolean>;
  now: string;
  /** As in `kept-draft.ts`. */
  keptAs: string;
};

export type PayoutFormState = Judged<Finding> & {
  facts: FormFacts;
  ownLimits: FormFacts['ownLimits'];
  typed: TypedPayout;
  type: (field: keyof TypedPayout, text: string) => void;
  typeAll: (parts: Partial<TypedPayout>) => void;
  read: ReadPayout;
  touched: ReadonlySet<PayoutField>;
  touch: (field: PayoutField) => void;
  wallet: WalletView | null;
  recipient: RecipientLookUp;
  sums: DraftSums;
  historyMissing: boolean;
};

/** State of the form. */
export function usePayoutForm(facts: FormFacts): PayoutFormState {
  const t = useTranslations('newPayout.wallet');
  const locale = useLocale() as Locale;
  const draft = useDraft<TypedPayout, PayoutField, Finding>(facts);
  const { typed, wallets, change } = draft;
  useKeptDraft(facts.keptAs, draft, change);
  const read = useMemo(() => readTyped(facts.id, typed, locale), [facts.id, typed, locale]);
  const recipient = useRecipient(read.content, draft.signedOut);
  const clock = useServerClock(
    recipient.answer?.at ?? facts.now,
    recipient.answer?.lastSendToIbanAt != null,
  );
  const { source } = read.content;
  const fromCardBalance = facts.card && source?.kind === 'card_balance';
  const wallet = fromCardBalance
    ? cardBalance(t('card'))
    : (wallets.value?.find((one) => one.number === walletOf(source)) ?? null);
  const formWallet =
    wallet === null
      ? null
      : { ...toFormWallet(wallet, wallets.fresh, 'withdrawal'), unasked: fromCardBalance };
  const judged = useJudged(draft, {
    locale,
    typed,
    judged: judgeDraft(read, {
      wallet: formWallet,
      paymentType: facts.types.find((one) => one.code === read.content.paymentType) ?? null,
      recipient: recipient.answer,
      now: new Date(clock).toISOString(),
    }),
    isRead: Object.keys(read.errors).length === 0,
    askAgain: () => void recipient.askAgain(),
    action: sendPayout,
  });
  return {
    ...judged,
    facts,
    ownLimits: facts.ownLimits,
    typed,
    type: (field, text) => change({ [field]: text }),
    typeAll: change,
    read,
    touched: draft.touched,
    touch: draft.touch,
    wallet,
    recipient,
    sums: draftSums(read, formWallet, recipient.answer?.fee ?? null),
    historyMissing: recipient.state === 'missing',
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
