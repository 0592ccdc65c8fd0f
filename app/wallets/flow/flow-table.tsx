import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { sumOfDays } from '#lib/wallets/series.ts';
import type { SeriesDay } from '#lib/wallets/series.ts';
import type { DrawnWords } from './words.ts';

/** The same numbers to the kuruş, newest day first. */
export async function FlowTable({
  series,
  words,
  zone,
}: {
  series: readonly SeriesDay[];
  words: DrawnWords;
  zone: string;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets.flow');
  const money = (minor: bigint | null | undefined): string =>
    minor == null ? t('unknown') : words.money(minor);
  const sum = sumOfDays(series);
  return (
    <details className="border-t border-hairline">
      <summary className="px-4 py-2.5 font-medium text-accent">{t('asTable')}</summary>
      <Table
        caption={t('caption', {
          from: words.day(series[0]!.day),
          to: words.day(series.at(-1)!.day),
          zone,
        })}
        head={
          <>
            <Head>{t('day')}</Head>
            <Head numeric>{t('inHead')}</Head>
            <Head numeric>{t('outHead')}</Head>
            <Head numeric>{t('feesHead')}</Head>
            <Head numeric>{t('endHead')}</Head>
          </>
        }
      >
        {series.toReversed().map(({ day, flow, balance }, index) => (
          <Row key={day}>
            <Cell first>
              {index === 0 ? `${words.day(day)} · ${t('notOver')}` : words.day(day)}
            </Cell>
            <Cell label={t('inHead')} numeric>
              {money(flow?.in)}
            </Cell>
            <Cell label={t('outHead')} numeric>
              {money(flow?.out)}
            </Cell>
            <Cell label={t('feesHead')} numeric>
              {money(flow?.fees)}
            </Cell>
            <Cell label={t('endHead')} numeric>
              {money(balance)}
            </Cell>
          </Row>
        ))}
      </Table>
      <p className="border-t border-hairline px-4 py-2.5 text-label text-muted tabular-nums">
        {t('tableSum', {
          in: words.money(sum.in),
          out: words.money(sum.out),
          fees: words.money(sum.fees),
          count: series.filter(({ flow }) => flow !== null).length,
        })}
      </p>
    </details>
  );
}
