import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ChartTable } from '#app/reports/chart-table.tsx';
import { chartNotes, chartWords } from '#app/reports/chart-words.ts';
import { balanceDrawing } from '#app/wallets/flow/drawing.ts';
import { Plot } from '#app/wallets/flow/plot.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { MonthView } from '#lib/reports/day-close/view.ts';
import { parseDecimal } from '#lib/values/money.ts';
import { shown } from './amounts.ts';

/** The closing balance by day; nothing for a month without a known one. */
export async function BalanceChart({
  view: { days, wallet, now },
  address,
}: {
  view: MonthView;
  address: (day: string) => string;
}): Promise<ReactNode> {
  const last = days.findLast(({ closing }) => closing !== null);
  if (last === undefined) return null;
  const t = await getTranslations('dayClose');
  const common = await getTranslations('reports.chart');
  const steps = days.map(({ day }) => ({ from: day, to: day, isRead: true }));
  const words = await chartWords(steps, wallet.currency, now);
  const { from, to, locale } = words;
  const amount = (closing: string | null): string =>
    closing === null ? t('chart.unknown') : shown(closing, wallet.currency, locale);
  const drawing = balanceDrawing(
    days.map(({ closing }) => ({ balance: closing === null ? null : parseDecimal(closing) })),
    {
      ...words,
      unknown: t('chart.unknown'),
      balanceLabel: t('chart.label', { from, to, balance: amount(last.closing) }),
    },
  );
  const notes = await chartNotes('day', { striped: false, cut: drawing.beyond.length > 0 });
  return (
    <Panel list title={t('chart.title')}>
      <figure className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
        <Plot
          drawing={drawing}
          tooltips={days.map(({ closing }, n) => `${words.step(steps[n]!)}: ${amount(closing)}`)}
        />
        {notes !== '' && <p className="text-label text-muted">{notes}</p>}
      </figure>
      <ChartTable
        caption={t('chart.caption', { from, to })}
        first={common('day')}
        columns={[t('columns.closing')]}
        rows={days.map(({ day, closing }, n) => ({
          key: day,
          name: words.row(steps[n]!),
          href: address(day),
          cells: [amount(closing)],
        }))}
      />
    </Panel>
  );
}
