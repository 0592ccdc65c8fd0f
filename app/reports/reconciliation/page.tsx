import type { Metadata } from 'next';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ReportTabs } from '#app/reports/tabs.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { NothingFound } from '#components/filter-fields.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Pager, Row, Tab, Table, Tabs } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import { formatDate } from '#lib/values/dates.ts';
import { isUsualDay } from '#lib/values/typed-day.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { listDays } from '#lib/reports/reconciliation/view.ts';
import type { ReconciledDay } from '#lib/reports/reconciliation/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { DayVerdictPill } from './day-verdict.tsx';

const PATH = '/reports/reconciliation';
/** Kept in the address of a day, so that its page leads back to the days with open differences. */
const ONLY_OPEN = '?open=1';

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
    typeof before === 'string' && isUsualDay(before) ? before : null,
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
      <Views open={open} />
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
              <DayLine
                key={day.day}
                day={day}
                href={`${PATH}/${day.day}${open ? ONLY_OPEN : ''}`}
                now={now}
              />
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

async function Views({ open }: { open: boolean }): Promise<ReactNode> {
  const t = await getTranslations('reconciliation.views');
  return (
    <Tabs label={t('label')}>
      <Tab href={PATH} current={!open}>
        {t('all')}
      </Tab>
      <Tab href={`${PATH}${ONLY_OPEN}`} current={open}>
        {t('withOpen')}
      </Tab>
    </Tabs>
  );
}

async function DayLine({
  day,
  href,
  now,
}: {
  day: ReconciledDay;
  href: string;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('reconciliation');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const isRead = day.comparedAt !== null;
  return (
    <Row>
      <Cell first>
        <Link href={href} data-row-link className="font-medium text-accent hover:underline">
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
