import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ChartTable, CurrencyChart } from '#app/reports/chart-table.tsx';
import { chartNotes, chartWords } from '#app/reports/chart-words.ts';
import type { ChartWords } from '#app/reports/chart-words.ts';
import { flowDrawing } from '#app/wallets/flow/drawing.ts';
import { Legend, Plot } from '#app/wallets/flow/plot.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { Person } from '#lib/access/actor.ts';
import { unitOf } from '#lib/reports/steps.ts';
import { flowByDay } from '#lib/reports/transactions/by-day.ts';
import type { FlowStep, FlowSums, TransactionFlow } from '#lib/reports/transactions/by-day.ts';
import { transactionParams } from '#lib/reports/transactions/filter.ts';
import type { TransactionFilter } from '#lib/reports/transactions/filter.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { formatCount } from '#lib/values/money.ts';
import { PATH } from './path.ts';

/**
 * Money in and out by day within the filter, a chart for each currency; nothing without entries.
 */
export async function FlowChart({
  person,
  filter,
  missing,
  now,
}: {
  person: Person;
  filter: TransactionFilter;
  /** Days that are not read to their end. */
  missing: readonly string[];
  now: string;
}): Promise<ReactNode> {
  const flows = await flowByDay(person, filter, missing, now);
  if (flows.length === 0) return null;
  const t = await getTranslations('transactions.chart');
  return (
    <Panel list title={t('title', { unit: unitOf(flows[0]!.steps) })}>
      {flows.map((flow, n) => (
        <CurrencyChart key={flow.currency} currency={flow.currency} isFirst={n === 0}>
          <Chart flow={flow} filter={filter} now={now} />
        </CurrencyChart>
      ))}
    </Panel>
  );
}

async function Chart({
  flow: { currency, steps, sum },
  filter,
  now,
}: {
  flow: TransactionFlow;
  filter: TransactionFilter;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('transactions.chart');
  const words = await chartWords(steps, currency, now);
  const { money, from, to } = words;
  const [incoming, outgoing] = [money(sum.in), money(sum.out)];
  const drawing = flowDrawing(
    steps.map((step) => ({ flow: step.count === 0 && !step.isRead ? null : step })),
    { ...words, flowLabel: t('label', { from, to, in: incoming, out: outgoing }) },
    words,
  );
  const notes = await chartNotes(unitOf(steps), {
    striped: drawing.bars.some(({ today }) => today),
    cut: drawing.bars.some(({ cut }) => cut !== null),
  });
  return (
    <>
      <figure className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
        {sum.in + sum.out === 0n ? (
          <p className="text-muted">{t('nothing', { currency })}</p>
        ) : (
          <>
            <Legend
              items={[
                { look: 'in', text: t('in', { amount: incoming }) },
                { look: 'out', text: t('out', { amount: outgoing }) },
              ]}
            />
            <Plot
              drawing={drawing}
              tooltips={steps.map((step) =>
                t('told', { step: words.row(step), in: money(step.in), out: money(step.out) }),
              )}
            />
            {notes !== '' && <p className="text-label text-muted">{notes}</p>}
          </>
        )}
      </figure>
      <Numbers steps={steps} sum={sum} words={words} filter={filter} currency={currency} />
    </>
  );
}

async function Numbers({
  steps,
  sum,
  words,
  filter,
  currency,
}: {
  steps: readonly FlowStep[];
  sum: FlowSums;
  words: ChartWords;
  filter: TransactionFilter;
  currency: string;
}): Promise<ReactNode> {
  const t = await getTranslations('transactions');
  const common = await getTranslations('reports.chart');
  const { from, to } = words;
  const cells = (one: FlowSums): string[] => [
    ...[one.in, one.out, one.own, one.fees].map(words.money),
    formatCount(one.count, words.locale),
  ];
  return (
    <ChartTable
      caption={t('chart.caption', { from, to, currency })}
      first={common(unitOf(steps))}
      columns={[t('sums.in'), t('sums.out'), t('sums.own'), t('sums.fees'), t('chart.count')]}
      rows={steps
        .filter(({ count, isRead }) => count > 0 || !isRead)
        .map((step) => ({
          key: step.from,
          name: words.row(step),
          href: `${PATH}${addressOf(transactionParams({ ...filter, from: step.from, to: step.to }))}`,
          cells: step.count === 0 ? Array<string>(5).fill(common('unread')) : cells(step),
        }))}
      sums={cells(sum)}
    />
  );
}
