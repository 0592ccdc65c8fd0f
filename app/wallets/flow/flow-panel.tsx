import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import { toggleChip } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';
import { Panel, Skeleton } from '#components/ui/panel.tsx';
import type { Person } from '#lib/access/actor.ts';
import { pageSnapshot } from '#lib/login/session.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { CHART_DAYS } from '#lib/wallets/filter.ts';
import type { ChartDays } from '#lib/wallets/filter.ts';
import { walletFlow } from '#lib/wallets/flow.ts';
import type { Together, WalletFlow } from '#lib/wallets/flow.ts';
import { sumOfDays } from '#lib/wallets/series.ts';
import { balanceDrawing, flowDrawing } from './drawing.ts';
import { FlowTable } from './flow-table.tsx';
import { Plot } from './plot.tsx';
import { RedrawWhenRead } from './redraw-when-read.tsx';
import { drawnWords } from './words.ts';
import type { DrawnWords } from './words.ts';

type Props = {
  person: Person;
  title: string;
  wallets: Together;
  last: ChartDays;
  /** The page with another number of days. */
  hrefOf: (last: ChartDays) => string;
  now: string;
};

/**
 * The last days of some wallets of one currency: balance, money in and money out. A day that has
 * not been read is left blank.
 */
export async function FlowPanel({
  person,
  title,
  wallets,
  last,
  hrefOf,
  now,
}: Props): Promise<ReactNode> {
  const t = await getTranslations('wallets.flow');
  const zone = await getTimeZone();
  const flow = await walletFlow(person, wallets, last, now);
  const words = await drawnWords(flow, wallets.currency);
  const isRead = flow.missing.length < flow.series.length;
  const moved = flow.series.some((day) => day.flow !== null && day.flow.in + day.flow.out > 0n);
  return (
    <Panel list title={title} aside={<Ranges last={last} hrefOf={hrefOf} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 py-3">
        {flow.missing.length > 0 && <Missing flow={flow} />}
        {isRead && !moved && <p className="text-muted">{t('nothing')}</p>}
        {isRead && moved && <Drawings flow={flow} words={words} stale={wallets.balance === null} />}
        {flow.asOf !== null && (
          <p className="text-label text-muted tabular-nums">
            {t('asOf', {
              time: formatDateTime(flow.asOf, (await getLocale()) as Locale, {
                zone,
                now,
                seconds: true,
              }),
            })}
            {moved && <> {t('back')}</>}
          </p>
        )}
      </div>
      {isRead && moved && <FlowTable series={flow.series} words={words} zone={zone} />}
    </Panel>
  );
}

async function Drawings({
  flow,
  words,
  stale,
}: {
  flow: WalletFlow;
  words: DrawnWords;
  stale: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets.flow');
  const sum = sumOfDays(flow.series);
  const end = flow.series.at(-1)!.balance;
  const perDay = flowDrawing(flow.series, words);
  const tooltips = flow.series.map(words.tooltip);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 xl:grid-cols-2">
      <figure className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
        <figcaption className="flex min-h-10 flex-wrap items-baseline gap-x-3">
          <span className="font-semibold">{t('balance')}</span>
          {end !== null && (
            <span className="text-label text-muted tabular-nums">
              {t('balanceNow', { amount: words.money(end) })}
            </span>
          )}
        </figcaption>
        {stale ? (
          <p className="text-muted">{t('stale')}</p>
        ) : (
          <Plot drawing={balanceDrawing(flow.series, words)} tooltips={tooltips} />
        )}
      </figure>
      <figure className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
        <figcaption className="flex min-h-10 flex-wrap items-baseline gap-x-3">
          <span className="font-semibold">{t('perDay')}</span>
          <span className="inline-flex items-center gap-1.5 text-label text-muted tabular-nums">
            <span aria-hidden className="size-2.5 rounded-xs bg-accent" />
            {t('in', { amount: words.money(sum.in) })}
          </span>
          <span className="inline-flex items-center gap-1.5 text-label text-muted tabular-nums">
            <span aria-hidden className="size-2.5 rounded-xs bg-control" />
            {t('out', { amount: words.money(sum.out), fees: words.money(sum.fees) })}
          </span>
        </figcaption>
        <Plot drawing={perDay} tooltips={tooltips} />
        <p className="text-label text-muted">
          {t('hatched')} {perDay.bars.some(({ cut }) => cut !== null) && t('cut')}
        </p>
      </figure>
    </div>
  );
}

async function Missing({ flow }: { flow: WalletFlow }): Promise<ReactNode> {
  const t = await getTranslations('wallets.flow');
  return (
    <>
      <RedrawWhenRead since={await pageSnapshot()} />
      <Banner
        tone={flow.failing ? 'attention' : 'progress'}
        live
        title={t(flow.failing ? 'failing' : 'missing', {
          count: flow.missing.length,
          days: flow.series.length,
        })}
      >
        {t('missingText')}
      </Banner>
    </>
  );
}

async function Ranges({ last, hrefOf }: Pick<Props, 'last' | 'hrefOf'>): Promise<ReactNode> {
  const t = await getTranslations('wallets.flow');
  return (
    <ul className="no-print flex flex-wrap justify-end gap-2" aria-label={t('range')}>
      {CHART_DAYS.map((chart) => (
        <li key={chart}>
          <Link
            href={hrefOf(chart)}
            scroll={false}
            aria-current={chart === last ? 'true' : undefined}
            className={toggleChip(chart === last)}
          >
            {t('lastDays', { count: chart })}
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function FlowLoading(): ReactNode {
  return (
    <Panel title={<Skeleton className="h-5 w-28" />}>
      <div aria-busy className="grid gap-x-8 gap-y-5 px-4 py-3 xl:grid-cols-2">
        <Skeleton className="h-52 w-full" />
        <Skeleton className="h-52 w-full" />
      </div>
    </Panel>
  );
}
