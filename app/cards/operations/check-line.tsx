'use client';

import { CircleCheck, CircleHelp } from 'lucide-react';
import { useLocale, useTimeZone, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { Operation } from '#lib/cards/operations/operation.ts';
import { formatTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { useProblemWords } from './problem-words.ts';
import type { Look } from './use-look.ts';

/**
 * Result of the check before the press, always in the same place; a reason not to press replaces
 * it.
 */
export function LookLine({
  operation,
  look,
  again,
}: {
  operation: Operation;
  look: Look;
  again: () => void;
}): ReactNode {
  const t = useTranslations('cardDialogs');
  const problem = useProblemWords();
  const zone = useTimeZone() ?? 'Europe/Istanbul';
  if (look === null)
    return (
      <p role="status" className="min-h-10 text-label text-muted">
        {t('look.asking')}
      </p>
    );
  if (look.kind === 'answered') {
    const stop = look.stops[operation];
    if (stop !== null)
      return (
        <p role="status" className="min-h-10 text-label font-medium text-attention">
          {t(`stops.${stop}`)}
        </p>
      );
    const at = formatTime(look.at, { zone, seconds: true });
    return (
      <div className="grid min-h-10 content-start gap-1 text-label font-medium">
        <p role="status" className="flex items-start gap-1.5 text-settled">
          <CircleCheck aria-hidden className="mt-px size-3.5 shrink-0" />
          {t(operation === 'refund' ? 'look.taken' : 'look.held', { at })}
        </p>
        {look.sendingStopped[operation] && <p className="text-attention">{t('sendingStopped')}</p>}
      </div>
    );
  }
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1">
      <p role="status" className="flex items-start gap-1.5 text-label font-medium text-attention">
        <CircleHelp aria-hidden className="mt-px size-3.5 shrink-0" />
        {look.kind === 'no_answer' || look.kind === 'unreachable'
          ? t('look.noAnswer')
          : problem(look)}
      </p>
      <Button look="ghost" onClick={again}>
        {t('look.again')}
      </Button>
    </div>
  );
}

/** Figures of the record just read, so that a decision does not rest on memory. */
export function Figures({
  operation,
  look,
  known,
  currency,
}: {
  operation: Operation;
  look: Look;
  known: string | null;
  currency: string;
}): ReactNode {
  const t = useTranslations('cardDialogs');
  const locale = useLocale() as Locale;
  const answered = look?.kind === 'answered' ? look : null;
  const waiting = answered?.waiting ?? null;
  // Without an answer, or where the record names no charged amount, the last known one stands.
  const charged = answered === null || answered.remaining !== null ? known : null;
  const rows: [string, string | null][] =
    operation === 'refund'
      ? [
          [t('charged'), answered?.charged ?? charged],
          [t('refunded'), answered?.refunded ?? null],
          ...(waiting === null ? [] : [[t('waiting'), waiting] as [string, string]]),
          [t('left'), answered?.remaining ?? null],
        ]
      : [[t('held'), answered === null ? known : answered.held]];
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 tabular-nums">
      {rows.map(([label, amount]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="text-right font-medium">
            {amount === null ? '–' : formatMoney(amount, currency, locale)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
