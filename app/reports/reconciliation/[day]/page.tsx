import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { BackLink } from '#components/back-link.tsx';
import { EmptyState, Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import { formatDate, isDay } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { viewDay } from '#lib/reports/reconciliation/view.ts';
import type { ReconciledDay, ShownDifference } from '#lib/reports/reconciliation/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { DayVerdictPill } from '../day-verdict.tsx';
import { DifferenceItem } from './difference-item.tsx';

type Props = PageProps<'/reports/reconciliation/[day]'>;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('reconciliation'))('title') };
}

/** One closed day: its result, and every difference with both sides beside each other. */
export default async function ReconciledDayPage({
  params,
  searchParams,
}: Props): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const { day: text } = await params;
  const day = isDay(text) ? await viewDay(person, text) : null;
  if (day === null) notFound();
  const t = await getTranslations('reconciliation');
  const title = t('dayTitle', {
    day: formatDate(day.day, (await getLocale()) as Locale, {
      zone: await getTimeZone(),
      long: true,
    }),
  });
  const onlyOpen = (await searchParams)['open'] === '1';
  const mayAcknowledge = may(person.role, 'alert.acknowledge');
  const live = day.differences.filter((one) => one.state !== 'CLOSED');
  const closed = day.differences.filter((one) => one.state === 'CLOSED');
  return (
    <>
      <BackLink href={`/reports/reconciliation${onlyOpen ? '?open=1' : ''}`}>{t('title')}</BackLink>
      <PageHead title={title}>
        <LiveChanges kinds={['reconciliation', 'movement']} />
      </PageHead>
      <Panel>
        <DayFacts day={day} now={day.now} />
      </Panel>
      <Panel title={t('differences')}>
        {live.length === 0 ? (
          <EmptyState
            title={t(
              `nothing.${day.verdict === 'reading' || day.verdict === 'waiting' ? day.verdict : 'clean'}`,
            )}
          />
        ) : (
          <>
            <Differences all={live} mayAcknowledge={mayAcknowledge} />
            {day.isCut && (
              <p className="border-t border-hairline px-4 py-3 text-muted">
                {t('cut', { count: day.differences.length })}
              </p>
            )}
          </>
        )}
      </Panel>
      {closed.length > 0 && (
        <details className="rounded-panel border border-hairline bg-surface">
          <summary className="px-4 py-2.5 font-medium">
            {t('closed', { count: closed.length })}
          </summary>
          <Differences all={closed} mayAcknowledge={false} />
        </details>
      )}
    </>
  );
}

function Differences({
  all,
  mayAcknowledge,
}: {
  all: ShownDifference[];
  mayAcknowledge: boolean;
}): ReactNode {
  return (
    <ul>
      {all.map((one) => (
        <DifferenceItem key={one.id} one={one} mayAcknowledge={mayAcknowledge} />
      ))}
    </ul>
  );
}

async function DayFacts({ day, now }: { day: ReconciledDay; now: string }): Promise<ReactNode> {
  const t = await getTranslations('reconciliation');
  const locale = (await getLocale()) as Locale;
  return (
    <Facts>
      <Fact label={t('columns.verdict')}>
        <DayVerdictPill day={day} />
      </Fact>
      {day.comparedAt !== null && (
        <>
          <Fact label={t('columns.comparedAt')}>
            <When at={day.comparedAt} now={now} seconds />
          </Fact>
          <Fact label={t('compared')}>
            {t('comparedIs', {
              movements: day.movements,
              requests: day.requests,
              lines: day.lines,
            })}
          </Fact>
          {day.sums.map((sum) => (
            <Fact key={sum.currency} label={t('paid', { currency: sum.currency })}>
              {t('paidIs', {
                ours: formatMoney(sum.ours, sum.currency, locale),
                theirs: formatMoney(sum.theirs, sum.currency, locale),
              })}
            </Fact>
          ))}
        </>
      )}
      {day.digest !== null && (
        <Fact label={t('digest')}>
          <span className="font-mono text-mono break-all">{day.digest}</span>
          <span className="block text-label text-muted">{t('digestIs')}</span>
        </Fact>
      )}
    </Facts>
  );
}
