import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ChartTable, CurrencyChart } from '#app/reports/chart-table.tsx';
import { chartNotes, chartWords } from '#app/reports/chart-words.ts';
import type { ChartWords } from '#app/reports/chart-words.ts';
import { Legend, Plot } from '#app/wallets/flow/plot.tsx';
import { stackDrawing } from '#app/wallets/flow/stack-drawing.ts';
import { Panel } from '#components/ui/panel.tsx';
import type { Person } from '#lib/access/actor.ts';
import { unitOf } from '#lib/reports/steps.ts';
import { withdrawalsByDay } from '#lib/reports/withdrawals/by-day.ts';
import type { ResultSum, WithdrawalDays } from '#lib/reports/withdrawals/by-day.ts';
import { withdrawalParams } from '#lib/reports/withdrawals/filter.ts';
import type { WithdrawalFilter } from '#lib/reports/withdrawals/filter.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { formatCount } from '#lib/values/money.ts';
import { PATH } from './path.ts';

/** Withdraw requests by day and result, a chart for each currency; nothing without requests. */
export async function ResultChart({
  person,
  filter,
  missing,
  now,
}: {
  person: Person;
  filter: WithdrawalFilter;
  /** Days that are not read to their end. */
  missing: readonly string[];
  now: string;
}): Promise<ReactNode> {
  const currencies = await withdrawalsByDay(person, filter, missing, now);
  if (currencies.length === 0) return null;
  const t = await getTranslations('withdrawals.chart');
  return (
    <Panel list title={t('title', { unit: unitOf(currencies[0]!.steps) })}>
      {currencies.map((days, n) => (
        <CurrencyChart key={days.currency} currency={days.currency} isFirst={n === 0}>
          <Chart days={days} filter={filter} now={now} />
        </CurrencyChart>
      ))}
    </Panel>
  );
}

async function Chart({
  days: { currency, steps, results },
  filter,
  now,
}: {
  days: WithdrawalDays;
  filter: WithdrawalFilter;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('withdrawals');
  const words = await chartWords(steps, currency, now);
  const { from, to } = words;
  const told = (one: ResultSum): string =>
    t('chart.result', {
      level: t(`levels.${one.level}`),
      count: one.count,
      sum: words.money(one.sum),
    });
  const drawing = stackDrawing(
    steps.map((step) =>
      step.count === 0 && !step.isRead
        ? null
        : step.results.map(({ level, sum }) => ({ look: level, amount: sum })),
    ),
    { ...words, label: t('chart.label', { from, to, results: results.map(told).join(', ') }) },
  );
  const notes = await chartNotes(unitOf(steps), {
    striped: false,
    cut: drawing.bars.some(({ cut }) => cut !== null),
  });
  return (
    <>
      <figure className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
        <Legend items={results.map((one) => ({ look: one.level, text: told(one) }))} />
        <Plot
          drawing={drawing}
          tooltips={steps.map((step) =>
            [words.row(step), ...step.results.filter(({ count }) => count > 0).map(told)].join(
              ' · ',
            ),
          )}
        />
        {notes !== '' && <p className="text-label text-muted">{notes}</p>}
      </figure>
      <Numbers days={{ currency, steps, results }} words={words} filter={filter} />
    </>
  );
}

async function Numbers({
  days: { currency, steps, results },
  words,
  filter,
}: {
  days: WithdrawalDays;
  words: ChartWords;
  filter: WithdrawalFilter;
}): Promise<ReactNode> {
  const t = await getTranslations('withdrawals');
  const common = await getTranslations('reports.chart');
  const { from, to } = words;
  const cells = (all: readonly ResultSum[]): string[] =>
    all.map(({ count, sum }) =>
      count === 0 ? '–' : `${words.money(sum)} (${formatCount(count, words.locale)})`,
    );
  return (
    <ChartTable
      caption={t('chart.caption', { from, to, currency })}
      first={common(unitOf(steps))}
      columns={results.map(({ level }) => t(`levels.${level}`))}
      rows={steps
        .filter(({ count, isRead }) => count > 0 || !isRead)
        .map((step) => ({
          key: step.from,
          name: words.row(step),
          href: `${PATH}${addressOf(withdrawalParams({ ...filter, from: step.from, to: step.to }))}`,
          cells: step.count === 0 ? results.map(() => common('unread')) : cells(step.results),
        }))}
      sums={cells(results)}
    />
  );
}
