'use client';

import { Ban, Check, Clock, Info, TriangleAlert } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { formatPercent } from '#lib/values/money.ts';
import type { FindingLevel } from '#lib/payouts/rules.ts';
import { controlId, useFormWords } from './form-words.ts';
import type { MoneyForm, ShownFinding } from './money-form.ts';

const ICONS: Record<FindingLevel, LucideIcon> = {
  ok: Check,
  info: Info,
  warn: TriangleAlert,
  wait: Clock,
  block: Ban,
};
const LOOKS: Record<FindingLevel, string> = {
  ok: 'text-settled',
  info: 'text-muted',
  warn: 'text-attention',
  wait: 'text-attention',
  block: 'text-failed',
};
const DASH = '–';

/**
 * The amount, the balance after it, and what prevents the payment. Every row has its place from the
 * start, so that nothing moves.
 */
export function Summary({ form, now }: { form: MoneyForm; now: string }): ReactNode {
  const t = useTranslations('newPayout.summary');
  const { money, locale } = useFormWords();
  const { sums, wallet } = form;
  const currency = wallet?.currency ?? 'TRY';
  const text = (amount: bigint | null, about = ''): string =>
    amount === null ? DASH : `${about}${money(amount, currency)}`;
  const about = sums.fee !== null && sums.amount !== null ? '~' : '';
  const fee =
    sums.fee === null
      ? DASH
      : sums.fee.min === sums.fee.max
        ? money(sums.fee.max, currency)
        : `${money(sums.fee.min, currency)} – ${money(sums.fee.max, currency)}`;
  const samples =
    sums.fee !== null
      ? t('feeSamples', { count: sums.fee.n })
      : sums.amount === null
        ? '\u00a0'
        : t('feeNone');
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1.5 text-body tabular-nums">
        <Line label={t('amount')} strong>
          {text(sums.amount)}
        </Line>
        <Line label={t('fee')} note={samples}>
          {fee}
        </Line>
        <Line label={t('leaves')} above>
          {sums.amount !== null && sums.fee === null
            ? t('plusFee', { amount: text(sums.leaves) })
            : text(sums.leaves, about)}
        </Line>
        <Line label={t('available')}>{text(sums.available)}</Line>
        <Line label={t('after')} strong failed={sums.after !== null && sums.after < 0n}>
          {text(sums.after, about)}
        </Line>
        <Line label={t('limit')}>
          {sums.limit === null ? DASH : t('limitAfter', { amount: text(sums.limit.after) })}
        </Line>
      </dl>
      <progress
        className="bar"
        max={1}
        value={sums.limit?.share ?? 0}
        aria-label={t('limitBar', { percent: formatPercent(sums.limit?.share ?? 0, locale, 0) })}
      />
      <Checks form={form} now={now} />
    </div>
  );
}

function Line({
  label,
  note,
  strong = false,
  failed = false,
  above = false,
  children,
}: {
  label: string;
  /**
   * A note on a line of its own: it changes when the look-up answers, and nothing below may move.
   */
  note?: string;
  strong?: boolean;
  failed?: boolean;
  above?: boolean;
  children: ReactNode;
}): ReactNode {
  const rule = above ? 'border-t border-hairline pt-1.5' : '';
  return (
    <>
      <dt className={`text-muted ${rule}`}>
        {label}
        {note !== undefined && <span className="block text-label">{note}</span>}
      </dt>
      <dd
        className={`-ml-3 pl-3 text-right whitespace-nowrap ${rule} ${
          strong ? 'font-semibold' : ''
        } ${failed ? 'text-failed' : ''}`}
      >
        {children}
      </dd>
    </>
  );
}

function Checks({ form, now }: { form: MoneyForm; now: string }): ReactNode {
  const t = useTranslations('newPayout.summary');
  return (
    <div className="min-h-40">
      <h3
        id={controlId('checks')}
        tabIndex={-1}
        className="text-label font-medium text-muted outline-none"
      >
        {t('checks')}
      </h3>
      {form.findings.length === 0 && (
        <p className="mt-1.5 text-label text-muted">{t('noChecks')}</p>
      )}
      <ul className="mt-1.5 grid gap-1.5">
        {form.findings.map((finding) => (
          <CheckLine
            key={`${finding.code}-${finding.movementId ?? ''}`}
            finding={finding}
            ticked={form.isTicked(finding)}
            now={now}
          />
        ))}
        {form.historyMissing && (
          <li className="flex gap-2 text-label text-attention">
            <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
            {t('historyMissing')}
          </li>
        )}
      </ul>
    </div>
  );
}

function CheckLine({
  finding,
  ticked,
  now,
}: {
  finding: ShownFinding;
  ticked: boolean;
  now: string;
}): ReactNode {
  const t = useTranslations('newPayout');
  const { finding: words } = useFormWords();
  const Icon = finding.level === 'warn' && ticked ? Check : ICONS[finding.level];
  return (
    <li className={`flex gap-2 text-label ${LOOKS[finding.level]}`}>
      <Icon aria-hidden className="mt-px size-3.5 shrink-0" />
      <span className="min-w-0">
        <span className="sr-only">{t(`summary.levels.${finding.level}`)}: </span>
        <span className="tabular-nums">{words(finding, now)}</span>
        {finding.movementId !== undefined && (
          <a
            href={`/payouts/${finding.movementId}`}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t('overrides.seeNew')}
            className="ml-1.5 font-medium whitespace-nowrap underline underline-offset-2"
          >
            {t('overrides.see')}
          </a>
        )}
      </span>
    </li>
  );
}
