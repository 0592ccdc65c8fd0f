import type { Metadata } from 'next';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ReportTabs } from '#app/reports/tabs.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { ActiveFilters, NothingFound } from '#components/filter-fields.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Pager, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import { formatDate, isDay } from '#lib/values/dates.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { listDays } from '#lib/reports/reconciliation/view.ts';
import type { ReconciledDay } from '#lib/reports/reconciliation/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { DayVerdictPill } from './day-verdict.tsx';

const PATH = '/reports/reconciliation';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('reconciliation'))('title') };
}

export default async function ReconciliationPage({
  searchParams,
}: PageProps<'/reports/reconciliation'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const { before, open: openOnly } = await searchParams;
  const open = openOnly === '1';
  const address = (from: string | null): string =>
    `${PATH}${addressOf({ open: open ? '1' : null, before: from })}`;
  const { days, older, now } = await listDays(
    person,
    typeof before === 'string' && isDay(before) ? before : null,
    { open },
  );
  const t = await getTranslations('reconciliation');
  const common = await getTranslations('common');
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['reconciliation']} />
      </PageHead>
      <ReportTabs role={person.role} current="reconciliation" />
      <p className="max-w-prose text-muted">{t('intro')}</p>
      {open && <ActiveFilters chips={[{ text: t('onlyOpen'), href: PATH }]} />}
      <Panel list>
        {days.length === 0 && open ? (
          <NothingFound title={t('noneOpen')} clear={PATH} />
        ) : days.length === 0 ? (
          <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
        ) : (
          <Table
            caption={t('caption')}
            head={
              <>
                <Head>{t('columns.day')}</Head>
                <Head>{t('columns.verdict')}</Head>
                <Head numeric>{t('columns.movements')}</Head>
                <Head numeric>{t('columns.records')}</Head>
                <Head>{t('columns.comparedAt')}</Head>
              </>
            }
          >
            {days.map((day) => (
              <DayLine key={day.day} day={day} now={now} />
            ))}
          </Table>
        )}
        {(older !== null || before !== undefined) && (
          <div className="border-t border-hairline">
            <Pager
              label={common('pages')}
              previous={before === undefined ? null : address(null)}
              next={older && address(older)}
              words={{ previous: t('newest'), next: t('older') }}
            />
          </div>
        )}
      </Panel>
    </>
  );
}

async function DayLine({ day, now }: { day: ReconciledDay; now: string }): Promise<ReactNode> {
  const t = await getTranslations('reconciliation');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const isRead = day.comparedAt !== null;
  return (
    <Row>
      <Cell first>
        <Link
          href={`${PATH}/${day.day}`}
          data-row-link
          className="font-medium text-accent hover:underline"
        >
          {formatDate(day.day, locale, { zone })}
        </Link>
      </Cell>
      <Cell label={t('columns.verdict')}>
        <DayVerdictPill day={day} />
      </Cell>
      <Cell label={t('columns.movements')} numeric>
        {isRead ? day.movements : '–'}
      </Cell>
      <Cell label={t('columns.records')} numeric>
        {isRead ? t('recordsOf', { requests: day.requests, lines: day.lines }) : '–'}
      </Cell>
      <Cell label={t('columns.comparedAt')}>
        {day.comparedAt === null ? '–' : <When at={day.comparedAt} now={now} />}
      </Cell>
    </Row>
  );
}
