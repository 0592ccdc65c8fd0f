'use client';

import { unstable_rethrow } from 'next/navigation';
import { useLocale } from 'next-intl';
import { useMemo, useRef, useState, useTransition } from 'react';
import { useServerClock } from '#components/server-clock.ts';
import type { Locale } from '#lib/locale.ts';
import type { ActionProblem } from '#lib/action-state.ts';
import { draftSums, findingSignature, judgeDraft, readTyped } from '#lib/payouts/draft.ts';
import type { DraftSums, FormWallet, ReadPayout, TypedPayout } from '#lib/payouts/draft.ts';
import { blocking } from '#lib/payouts/rules.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import { OVERRIDE_REASONS, oneLine, REASON_MAX, REASON_MIN } from '#lib/payouts/schema.ts';
import type { PayoutField } from '#lib/payouts/schema.ts';
import type { KnownView, WalletView } from '#lib/wallets/view.ts';
import { readWalletsAgain, sendPayout } from './actions.ts';
import { useRecipient } from './use-recipient.ts';
import type { RecipientLookUp } from './use-recipient.ts';

export type FormProblem = ActionProblem | { kind: 'findings' | 'unreachable' | 'outdated' };

export type FormFacts = { id: string; retryOf: string | null; typed: TypedPayout; wallets: KnownView<WalletView[]>; types: { code: string; description: string; descriptionMin: number }[]; now: string };

export type PayoutFormState = {
  typed: TypedPayout;
  type: (field: keyof TypedPayout, text: string) => void;
  typeAll: (parts: Partial<TypedPayout>) => void;
  read: ReadPayout;
  /** Fields that a person has left, or tried to go on from: only these are told their errors. */
  touched: ReadonlySet<PayoutField>;
  touch: (field: PayoutField) => void;
  wallets: KnownView<WalletView[]>;
  wallet: WalletView | null;
  askWallets: () => Promise<void>;
  askingWallets: boolean;
  recipient: RecipientLookUp;
  findings: Finding[];
  warnings: Finding[];
  isTicked: (finding: Finding) => boolean;
  tick: (finding: Finding, on: boolean) => void;
  reason: string;
  setReason: (text: string) => void;
  reasonError: 'reason_required' | 'reason_too_short' | 'reason_too_long' | null;
  sums: DraftSums;
  step: 'edit' | 'review';
  setStep: (step: 'edit' | 'review') => void;
  problem: FormProblem | null;
  setProblem: (problem: FormProblem | null) => void;
  /** After a new sign-in: what could not be asked meanwhile is asked again. */
  signedInAgain: () => void;
  sending: boolean;
  send: () => void;
  /** Seconds until the same IBAN may be paid again; 0 when it may. */
  waitSeconds: number;
  clean: boolean;
};

/** Everything the form knows. Money leaves through a server action only, once, whatever is pressed how often. */
export function usePayoutForm(facts: FormFacts): PayoutFormState {
  const locale = useLocale() as Locale;
  const [typed, setTyped] = useState(facts.typed);
  const [touched, setTouched] = useState<ReadonlySet<PayoutField>>(new Set());
  const [wallets, setWallets] = useState(facts.wallets);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState('');
  const [step, setStep] = useState<'edit' | 'review'>('edit');
  const [problem, setProblem] = useState<FormProblem | null>(null);
  const [told, setTold] = useState<Finding[] | null>(null);
  const [askingWallets, startAskingWallets] = useTransition();
  const read = useMemo(() => readTyped(facts.id, typed, locale), [facts.id, typed, locale]);
  const recipient = useRecipient(read.content, () => setProblem({ kind: 'signed_out' }));
  const clock = useServerClock(recipient.answer?.at ?? facts.now, recipient.answer?.lastSendToIbanAt != null);
  const wallet = wallets.value?.find((one) => one.number === read.content.wallet) ?? null;
  const formWallet = wallet === null ? null : toFormWallet(wallet, wallets.fresh);
  const paymentType = facts.types.find((one) => one.code === read.content.paymentType) ?? null;
  const judged = judgeDraft(read, { wallet: formWallet, paymentType, recipient: recipient.answer, now: new Date(clock).toISOString() });
  // What the server said stands until something is changed: its facts are newer than the page's. Only waiting goes on.
  const findings = told === null ? judged : [...told.filter((finding) => finding.level !== 'wait'), ...judged.filter((finding) => finding.level === 'wait')];
  const warnings = findings.filter((finding) => finding.level === 'warn');
  const isTicked = (finding: Finding): boolean => ticked.has(findingSignature(finding));
  const reasonError = warnings.length === 0 ? null : reasonErrorOf(reason);
  const waiting = findings.find((finding) => finding.level === 'wait')?.params.seconds;
  const change = (parts: Partial<TypedPayout>): void => {
    setTyped((before) => ({ ...before, ...parts }));
    setTold(null);
    setProblem(null);
  };
  const askWallets = async (): Promise<void> => {
    const heard = await readWalletsAgain().catch(() => null);
    if (heard?.kind === 'signed_out') setProblem(heard);
    else if (heard?.kind === 'read') setWallets(heard.wallets);
    else setWallets((before) => ({ ...before, fresh: false }));
  };
  const { sending, send } = useSending(facts, locale, { typed, warnings, reason, setProblem, onFindings: (found) => {
    setTold(found);
    setStep('edit');
    void recipient.askAgain();
    void askWallets();
  } });
  return {
    typed, read, touched, wallets, wallet, askingWallets, recipient, findings, warnings, isTicked, reason, reasonError, step, problem, setProblem, sending, send,
    type: (field, text) => change({ [field]: text }),
    typeAll: change,
    touch: (field) => setTouched((before) => new Set(before).add(field)),
    askWallets: async () => startAskingWallets(askWallets),
    signedInAgain: () => {
      setProblem(null);
      void recipient.askAgain();
    },
    tick: (finding, on) => setTicked((before) => {
      const next = new Set(before);
      if (on) next.add(findingSignature(finding));
      else next.delete(findingSignature(finding));
      return next;
    }),
    setReason: (text) => {
      setReason(text);
      setProblem(null);
    },
    setStep: (next) => {
      setStep(next);
      setProblem(null);
      if (next !== 'review') return;
      setTold(null);
      // The form may have been open for a while: what is sent is judged by what is so now.
      void recipient.askAgain();
      void askWallets();
    },
    sums: draftSums(read, formWallet, recipient.answer?.fee ?? null),
    waitSeconds: typeof waiting === 'number' ? waiting : 0,
    clean: Object.keys(read.errors).length === 0 && blocking(findings).length === 0 && warnings.every(isTicked) && reasonError === null,
  };
}

type Sending = {
  typed: TypedPayout;
  warnings: Finding[];
  reason: string;
  setProblem: (problem: FormProblem | null) => void;
  onFindings: (found: Finding[]) => void;
};

function useSending(facts: FormFacts, locale: Locale, given: Sending): { sending: boolean; send: () => void } {
  const [sending, start] = useTransition();
  // A state would let a second press through that comes before the next drawing.
  const underWay = useRef(false);
  const send = (): void => {
    if (underWay.current) return;
    underWay.current = true;
    given.setProblem(null);
    start(async () => {
      try {
        const answer = await sendPayout(formOf(facts, locale, given));
        underWay.current = false;
        if (answer.kind === 'findings') given.onFindings(answer.findings);
        given.setProblem(answer.kind === 'findings' ? { kind: 'findings' } : answer);
      } catch (error) {
        // The way to the payout's page passes here too; the form stays closed behind it.
        unstable_rethrow(error);
        underWay.current = false;
        given.setProblem({ kind: error instanceof Error && /server action/i.test(error.message) ? 'outdated' : 'unreachable' });
      }
    });
  };
  return { sending, send };
}

function formOf(facts: FormFacts, locale: Locale, { typed, warnings, reason }: Sending): FormData {
  const form = new FormData();
  form.set('id', facts.id);
  form.set('locale', locale);
  if (facts.retryOf !== null) form.set('retryOf', facts.retryOf);
  for (const [name, text] of Object.entries(typed)) form.set(name, text);
  for (const code of new Set(warnings.map((finding) => finding.code))) form.append('overrides', code);
  if (warnings.length > 0) form.set('overrideReason', reason);
  return form;
}

function toFormWallet(wallet: WalletView, fresh: boolean): FormWallet {
  return {
    number: wallet.number, currency: wallet.currency, access: wallet.access, available: fresh ? wallet.available : null,
    withdrawalLimit: wallet.limits.find((limit) => limit.kind === 'withdrawal')?.left ?? null,
  };
}

function reasonErrorOf(text: string): PayoutFormState['reasonError'] {
  const reason = oneLine(text);
  if ((OVERRIDE_REASONS as readonly string[]).includes(reason)) return null;
  const length = Array.from(reason).length;
  if (length === 0) return 'reason_required';
  return length < REASON_MIN ? 'reason_too_short' : length > REASON_MAX ? 'reason_too_long' : null;
}
