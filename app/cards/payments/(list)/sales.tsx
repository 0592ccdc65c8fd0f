import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { flowDrawing } from '#app/wallets/flow/drawing.ts';
import { Plot } from '#app/wallets/flow/plot.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { Person } from '#lib/access/actor.ts';
import type { CardFilter } from '#lib/cards/payments/filter.ts';
import { viewSales } from '#lib/cards/payments/sales.ts';
import type { Sales } from '#lib/cards/payments/sales.ts';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney, formatPercent } from '#lib/values/money.ts';
import { shortMoneys } from '#lib/values/short-money.ts';

const LIRA = 'TRY';

/** Sales by day within the list's filter, with the share of those that succeeded. */
export async function SalesPanel({
  person,
  filter,
  now,
}: {
  person: Person;
  filter: CardFilter;
  now: string;
}): Promise<ReactNode> {
  const sales = await viewSales(person, filter, now);
  const decided = sales.sold.count + sales.failed;
  if (decided === 0) return null;
  const t = await getTranslations('cards.sales');
  const locale = (await getLocale()) as Locale;
  const money = (minor: bigint): string => formatMoney(minor, LIRA, locale);
  const day = (text: string): string => formatDate(text, locale);
  const [from, to] = [day(sales.days[0]!.day), day(sales.days.at(-1)!.day)];
  const middle = day(sales.days[Math.floor((sales.days.length - 1) / 2)]!.day);
  const drawing = flowDrawing(
    sales.days.map(({ day: own, sold }) => ({
      day: own,
      flow: { in: sold, out: 0n, fees: 0n },
      balance: null,
    })),
    {
      money,
      days: [from, middle, to],
      unknown: '',
      marks: (minors) => shortMoneys(minors, LIRA, locale),
      flowLabel: t('label', { from, to, sum: money(sales.sold.sum) }),
    },
  );
  return (
    <Panel title={t('title', { from, to })}>
      <div className="grid gap-4 px-4 py-3 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <dl className="grid content-start gap-3">
          <Fact name={t('sold')}>
            {money(sales.sold.sum)}
            <span className="block text-label font-normal text-muted">
              {t('count', { count: sales.sold.count })}
            </span>
          </Fact>
          <Fact name={t('rate')}>
            {formatPercent(sales.sold.count / decided, locale)}
            <span className="block text-label font-normal text-muted">
              {t('rateOf', { sold: sales.sold.count, failed: sales.failed })}
              {sales.unknown > 0 && ` ${t('unknown', { count: sales.unknown })}`}
            </span>
          </Fact>
        </dl>
        <Plot
          drawing={drawing}
          tooltips={sales.days.map(({ day: own, sold }) => `${day(own)}: ${money(sold)}`)}
        />
      </div>
      <SalesTable sales={sales} day={day} money={money} />
    </Panel>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt className="text-label text-muted">{name}</dt>
      <dd className="text-title tabular-nums">{children}</dd>
    </div>
  );
}

/** The same numbers, days without a sale left out, the newest first. */
async function SalesTable({
  sales,
  day,
  money,
}: {
  sales: Sales;
  day: (day: string) => string;
  money: (minor: bigint) => string;
}): Promise<ReactNode> {
  const t = await getTranslations('cards.sales');
  return (
    <details className="border-t border-hairline">
      <summary className="px-4 py-2.5 font-medium text-accent">{t('asTable')}</summary>
      <Table
        caption={t('asTable')}
        head={
          <>
            <Head>{t('day')}</Head>
            <Head numeric>{t('sold')}</Head>
          </>
        }
      >
        {sales.days
          .filter(({ sold }) => sold > 0n)
          .toReversed()
          .map(({ day: own, sold }) => (
            <Row key={own}>
              <Cell first>{day(own)}</Cell>
              <Cell label={t('sold')} numeric>
                {money(sold)}
              </Cell>
            </Row>
          ))}
      </Table>
    </details>
  );
}
