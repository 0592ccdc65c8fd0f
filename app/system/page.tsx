import type { Metadata } from 'next';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { RefreshButton } from '#components/refresh-button.tsx';
import { Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { viewSystem } from '#lib/system/view.ts';
import type { Figure } from '#lib/system/figures.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { OpenMovements, OwnCounts, Requests } from './counts.tsx';
import { FigureTable, meaningOf } from './figure-table.tsx';
import { HourCharts } from './hour-charts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('system'))('title') };
}

/** The figures of the metrics for an owner: what they are now, and which of them raise an alarm. */
export default async function SystemPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'system.read')) return <Forbidden person={person} needs="system.read" />;
  const view = await viewSystem(person);
  const t = await getTranslations('system');
  const at = formatDateTime(new Date().toISOString(), (await getLocale()) as Locale, {
    zone: await getTimeZone(),
    seconds: true,
  });
  return (
    <>
      <PageHead title={t('title')}>
        <RefreshButton>{t('refresh')}</RefreshButton>
      </PageHead>
      <p className="max-w-prose text-muted">{t('intro', { at })}</p>
      <FigureTable figures={view.figures} />
      <HourCharts hours={view.hours} />
      <Requests requests={view.requests} />
      <OpenMovements states={view.states} />
      <OwnCounts counts={view.ownCounts} />
      <Meanings figures={view.figures} />
    </>
  );
}

async function Meanings({ figures }: { figures: readonly Figure[] }): Promise<ReactNode> {
  const t = await getTranslations('system');
  return (
    <Panel title={t('meaning.title')}>
      <Facts>
        {figures.map(
          ({ name, alarm }) =>
            alarm !== null && (
              <Fact
                key={name}
                label={
                  <span id={meaningOf(alarm.name)} className="scroll-mt-20">
                    {t(`figures.${name}`)}
                  </span>
                }
              >
                {t(`meaning.${alarm.name}`)}{' '}
                <span className="text-label text-muted">
                  {t('alarmName', { name: alarm.name })}
                </span>
              </Fact>
            ),
        )}
      </Facts>
    </Panel>
  );
}
