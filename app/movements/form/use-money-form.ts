'use client';

import { useState } from 'react';
import type { Locale } from '#lib/values/locale.ts';
import { blocking } from '#lib/payouts/rules.ts';
import type { OwnLimitLeft } from '#lib/movements/own-limit.ts';
import type { WalletsAtOnce } from '#lib/wallets/view.ts';
import { mayBeStored } from './money-form.ts';
import type { FormProblem, MoneyForm, ShownFinding } from './money-form.ts';
import { addOverrides, reasonErrorOf, useOverrides } from './use-overrides.ts';
import type { Overrides } from './use-overrides.ts';
import { useLostAnswer } from './use-lost-answer.ts';
import { useSending } from './use-sending.ts';
import type { MoneyAnswer } from './use-sending.ts';
import { useWallets } from './use-wallets.ts';
import type { FormWallets } from './use-wallets.ts';

/** What the page loads for the form of a payout or a transfer. */
export type MoneyFormFacts<Typed> = {
  id: string;
  retryOf: string | null;
  typed: Typed;
  wallets: WalletsAtOnce;
  ownLimits: readonly OwnLimitLeft[];
};

type Step = MoneyForm['step'];

/** The state of a form before its draft is judged. */
export type Draft<Typed, Field, Found> = FormWallets &
  Overrides & {
    facts: MoneyFormFacts<Typed>;
    typed: Typed;
    /**
     * Changes fields, and drops the server's findings and the problem: both were about the earlier
     * values.
     */
    change: (parts: Partial<Typed>) => void;
    touched: ReadonlySet<Field>;
    touch: (field: Field) => void;
    step: Step;
    goTo: (step: Step) => void;
    problem: FormProblem | null;
    setProblem: (problem: FormProblem | null) => void;
    signedOut: () => void;
    /** The server's findings about what is typed now. */
    serverFindings: readonly Found[] | null;
    setServerFindings: (found: readonly Found[] | null) => void;
  };

/** The typed values of a form, with the server's findings and the problem about them. */
export function useDraft<Typed, Field extends string, Found extends ShownFinding>(
  facts: MoneyFormFacts<Typed>,
): Draft<Typed, Field, Found> {
  const [typed, setTyped] = useState(facts.typed);
  const [touched, setTouched] = useState<ReadonlySet<Field>>(new Set());
  const [step, goTo] = useState<Step>('edit');
  const [problem, setProblem] = useState<FormProblem | null>(null);
  const [serverFindings, setServerFindings] = useState<readonly Found[] | null>(null);
  const signedOut = (): void => setProblem({ kind: 'signed_out' });
  return {
    ...useWallets(facts.wallets, signedOut),
    ...useOverrides(),
    facts,
    typed,
    change: (parts) => {
      setTyped((before) => ({ ...before, ...parts }));
      setServerFindings(null);
      setProblem(null);
    },
    touched,
    touch: (field) => setTouched((before) => new Set(before).add(field)),
    step,
    goTo,
    problem,
    setProblem,
    signedOut,
    serverFindings,
    setServerFindings,
  };
}

export type Judged<Found> = Pick<
  MoneyForm,
  | 'isTicked'
  | 'tick'
  | 'reason'
  | 'setReason'
  | 'reasonError'
  | 'step'
  | 'setStep'
  | 'problem'
  | 'sending'
  | 'send'
  | 'signedInAgain'
  | 'waitSeconds'
  | 'clean'
  | 'wallets'
  | 'askWallets'
  | 'askingWallets'
> & { findings: readonly Found[]; warnings: readonly Found[] };

/** The input of `useJudged`: the judged values, the form's own queries and its server action. */
type Judgement<Typed, Found> = {
  locale: Locale;
  typed: Typed;
  judged: readonly Found[];
  /** True when every field could be parsed. */
  isRead: boolean;
  askAgain: () => void;
  action: (form: FormData) => Promise<MoneyAnswer<Found>>;
};

/**
 * The rest of the form, once its draft is judged: findings, ticks, steps, and sending through a
 * server action only, once, however often the button is pressed. `typed` is what is sent;
 * `askAgain` repeats the form's own queries.
 */
export function useJudged<Typed extends Record<string, string>, Field, Found extends ShownFinding>(
  draft: Draft<Typed, Field, Found>,
  { locale, typed, judged, isRead, askAgain, action }: Judgement<Typed, Found>,
): Judged<Found> {
  const { serverFindings, setServerFindings, setProblem, goTo, reason } = draft;
  const findings = serverFindings === null ? judged : newerFindings(serverFindings, judged);
  const warnings = findings.filter((finding) => finding.level === 'warn');
  const reasonError = reasonErrorOf(warnings, reason);
  const waiting = findings.find((finding) => finding.level === 'wait')?.params['seconds'];
  const checkAgain = (): void => {
    askAgain();
    void draft.askWallets();
  };
  const { sending, send } = useSending<Found>({
    submit: () => action(formOf(draft.facts, locale, { typed, warnings, reason })),
    setProblem,
    onFindings: (found) => {
      setServerFindings(found);
      goTo('edit');
      checkAgain();
    },
  });
  useLostAnswer(draft.facts.id, mayBeStored(draft.problem));
  return {
    isTicked: draft.isTicked,
    tick: draft.tick,
    reason,
    setReason: (text) => {
      draft.setReason(text);
      setProblem(null);
    },
    reasonError,
    findings,
    warnings,
    step: draft.step,
    setStep: (next) => {
      goTo(next);
      setProblem(null);
      if (next !== 'review') return;
      setServerFindings(null);
      // The form may have been open for a while: what is sent is checked against present facts.
      checkAgain();
    },
    problem: draft.problem,
    signedInAgain: () => {
      setProblem(null);
      checkAgain();
    },
    sending,
    send,
    wallets: draft.wallets,
    askingWallets: draft.askingWallets,
    askWallets: draft.askWallets,
    waitSeconds: typeof waiting === 'number' ? waiting : 0,
    clean:
      isRead &&
      blocking(findings).length === 0 &&
      warnings.every(draft.isTicked) &&
      reasonError === null,
  };
}

/**
 * The server's findings stay until something is changed: its facts are newer than the page's. Only
 * the countdown goes on.
 */
function newerFindings<Found extends ShownFinding>(
  serverFindings: readonly Found[],
  judged: readonly Found[],
): readonly Found[] {
  return [
    ...serverFindings.filter((finding) => finding.level !== 'wait'),
    ...judged.filter((finding) => finding.level === 'wait'),
  ];
}

function formOf<Typed extends Record<string, string>>(
  facts: MoneyFormFacts<Typed>,
  locale: Locale,
  { typed, warnings, reason }: { typed: Typed; warnings: readonly ShownFinding[]; reason: string },
): FormData {
  const form = new FormData();
  form.set('id', facts.id);
  form.set('locale', locale);
  if (facts.retryOf !== null) form.set('retryOf', facts.retryOf);
  for (const [name, text] of Object.entries(typed)) form.set(name, text);
  addOverrides(form, warnings, reason);
  return form;
}
