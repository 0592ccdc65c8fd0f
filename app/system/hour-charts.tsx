import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ChartTable } from '#app/reports/chart-table.tsx';
import { Plot } from '#app/wallets/flow/plot.tsx';
import { stackDrawing } from '#app/wallets/flow/stack-drawing.ts';
import { Panel } from '#components/ui/panel.tsx';
import type { Hour } from '#lib/system/view.ts';
import { formatTime } from '#lib/values/dates.ts';

const SERIES = ['sends', 'webhooks'] as const;
type Series = (typeof SERIES)[number];

/** What was sent and what providers reported, by hour of the last day, with the numbers as a table. */
export async function HourCharts({ hours }: { hours: readonly Hour[] }): Promise<ReactNode> {
  const t = await getTranslations('system.hours');
  const zone = await getTimeZone();
  const numbers = new Intl.NumberFormat(await getLocale());
  const names = hours.map(({ from }) => formatTime(from, { zone }));
  return (
    <Panel list title={t('title')}>
      {SERIES.map((series) => (
        <HourChart key={series} series={series} hours={hours} names={names} />
      ))}
      <ChartTable
        caption={t('caption')}
        first={t('hour')}
        columns={SERIES.map((series) => t(series))}
        rows={hours.map((hour, index) => ({
          key: hour.from,
          name: index === hours.length - 1 ? t('ongoing', { hour: names[index]! }) : names[index]!,
          href: null,
          cells: SERIES.map((series) => numbers.format(hour[series])),
        }))}
        sums={SERIES.map((series) => numbers.format(sumOf(hours, series)))}
      />
    </Panel>
  );
}

async function HourChart({
  series,
  hours,
  names,
}: {
  series: Series;
  hours: readonly Hour[];
  names: readonly string[];
}): Promise<ReactNode> {
  const t = await getTranslations('system.hours');
  const numbers = new Intl.NumberFormat(await getLocale());
  const total = sumOf(hours, series);
  const [from, to] = [names[0]!, names.at(-1)!];
  const drawing = stackDrawing(
    hours.map((hour) => [
      { look: series === 'sends' ? 'out' : 'in', amount: BigInt(hour[series]) },
    ]),
    {
      label: t('label', { what: t(series), from, to, total }),
      money: (count) => numbers.format(count),
      marks: (counts) => counts.map((count) => numbers.format(count)),
      days: [from, names[Math.floor((names.length - 1) / 2)]!, to],
      unknown: '',
    },
  );
  return (
    <figure className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
      <figcaption className="font-medium">{t(series)}</figcaption>
      {total === 0 ? (
        <p className="text-muted">{t('nothing')}</p>
      ) : (
        <Plot
          drawing={drawing}
          tooltips={hours.map((hour, index) =>
            t('told', { hour: names[index]!, count: hour[series] }),
          )}
        />
      )}
    </figure>
  );
}

function sumOf(hours: readonly Hour[], series: Series): number {
  return hours.reduce((sum, hour) => sum + hour[series], 0);
}
