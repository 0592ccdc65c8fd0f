import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import { FactPanel } from '#components/ui/panel.tsx';
import type { CheckedDraft } from '#lib/batches/draft/read.ts';
import type { DraftProblem } from '#lib/batches/draft/summary.ts';
import { findingValues } from '#lib/payment-checks/finding-values.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

const MINUTE = 60;
const HOUR = 60;

/** What the draft comes to, and what still keeps all of it from being sent. */
export async function Summary({
  draft,
  pending,
}: {
  draft: CheckedDraft;
  /** What waits to leave the same wallet already. */
  pending: bigint;
}): Promise<ReactNode> {
  const t = await getTranslations('batches.summary');
  const locale = (await getLocale()) as Locale;
  const { summary, batch, isReady } = draft;
  const money = (amount: bigint): string => formatMoney(amount, batch.currency, locale);
  const { fee, pace } = summary;
  return (
    <>
      {isReady ? (
        <Banner tone="settled" live title={t('ready')} />
      ) : (
        <DraftProblems draft={draft} />
      )}
      {summary.dated > 0 && <Banner tone="draft">{t('dated', { count: summary.dated })}</Banner>}
      <FactPanel
        title={t('title')}
        facts={[
          [
            t('rows'),
            <WithNote
              key="rows"
              value={summary.rows}
              note={summary.out > 0 && t('out', { count: summary.out })}
            />,
          ],
          [
            t('sum'),
            <WithNote
              key="sum"
              value={money(summary.sum)}
              note={summary.withoutAmount > 0 && t('without', { count: summary.withoutAmount })}
            />,
          ],
          [t('fee'), fee === null ? t('feeUnknown') : `${money(fee.min)} – ${money(fee.max)}`],
          [t('after'), <After key="after" draft={draft} pending={pending} />],
          [t('first'), String(summary.firstTime)],
          [
            t('repaired'),
            summary.repairedCells === 0
              ? '0'
              : t('repairedIn', { cells: summary.repairedCells, rows: summary.repairedRows }),
          ],
          [
            t('pace'),
            <WithNote
              key="pace"
              value={await duration(pace.seconds)}
              note={pace.waits > 0 && t('waits', { count: pace.waits })}
            />,
          ],
        ]}
      />
    </>
  );
}

/** What the wallet holds after the draft, and after what waits to leave it already. */
async function After({
  draft: { summary, batch },
  pending,
}: {
  draft: CheckedDraft;
  pending: bigint;
}): Promise<ReactNode> {
  const t = await getTranslations('batches.summary');
  const locale = (await getLocale()) as Locale;
  const money = (amount: bigint): string => formatMoney(amount, batch.currency, locale);
  if (summary.after === null) return t('unknown');
  return (
    <WithNote
      value={money(summary.after - pending)}
      note={pending > 0n && t('pending', { sum: money(pending) })}
    />
  );
}

function WithNote({ value, note }: { value: ReactNode; note: ReactNode }): ReactNode {
  return (
    <>
      <span className="tabular-nums">{value}</span>
      {note && <span className="block text-label text-muted">{note}</span>}
    </>
  );
}

async function DraftProblems({ draft }: { draft: CheckedDraft }): Promise<ReactNode> {
  const t = await getTranslations('batches');
  const findings = await getTranslations('payoutErrors.findings');
  const fields = await getTranslations('batchFile.fields');
  const locale = (await getLocale()) as Locale;
  const { batch, problems, walletFindings, summary } = draft;
  const textOf = (problem: DraftProblem): string => {
    if (problem.code === 'columns_missing')
      return t('problems.columns_missing', {
        fields: problem.fields.map((field) => fields(field)).join(', '),
      });
    if ('short' in problem)
      return t(`problems.${problem.code}`, {
        short: formatMoney(problem.short, batch.currency, locale),
      });
    return t(`problems.${problem.code}`);
  };
  const texts = [
    ...problems.map(textOf),
    ...walletFindings
      .filter(({ level }) => level === 'block' || level === 'warn')
      .map((finding) => findings(finding.code, findingValues(finding, { locale }))),
  ];
  return (
    <Banner
      tone="attention"
      live
      title={summary.problems > 0 && t('summary.notReady', { count: summary.problems })}
    >
      {texts.length > 0 && (
        <ul className="grid gap-1">
          {texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </Banner>
  );
}

async function duration(seconds: number): Promise<string> {
  const t = await getTranslations('batches.summary');
  if (seconds < 2 * MINUTE) return t('seconds', { count: seconds });
  const minutes = Math.ceil(seconds / MINUTE);
  return minutes < 2 * HOUR
    ? t('minutes', { count: minutes })
    : t('hours', { hours: Math.floor(minutes / HOUR), minutes: minutes % HOUR }).trim();
}
