import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { flowDrawing } from '#app/wallets/flow/drawing.ts';
import { Plot } from '#app/wallets/flow/plot.tsx';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { Person } from '#lib/access/actor.ts';
import { cardParams } from '#lib/cards/payments/filter.ts';
import type { CardFilter } from '#lib/cards/payments/filter.ts';
import { LIRA, salesFilter, viewSales } from '#lib/cards/payments/sales.ts';
import type { Attempts, Sales } from '#lib/cards/payments/sales.ts';
import { dayIn, formatDate } from '#lib/values/dates.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney, formatPercent } from '#lib/values/money.ts';
import { shortMoneys } from '#lib/values/short-money.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { Installments } from './installments.tsx';

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
  const { attempts } = sales;
  const decided = attempts.sold + attempts.failed;
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
    { isOver: sales.days.at(-1)!.day < dayIn(now, workspace().timeZone) },
  );
  return (
    <Panel list title={from === to ? t('titleOfDay', { day: from }) : t('title', { from, to })}>
      <div className="grid gap-4 px-4 py-3 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <div className="grid content-start gap-3">
          <dl className="grid gap-3">
            <Fact name={t('sold')}>
              {money(sales.sold.sum)}
              <span className="block text-label font-normal text-muted">
                {t('count', { count: sales.sold.count })}
              </span>
            </Fact>
            <Fact name={t('rate')}>
              {formatPercent(attempts.sold / decided, locale)}
              <Counts attempts={attempts} filter={salesFilter(filter, now)} />
            </Fact>
          </dl>
          <p className="text-label text-muted">{t('about')}</p>
        </div>
        <Plot
          drawing={drawing}
          tooltips={sales.days.map(({ day: own, sold }) => `${day(own)}: ${money(sold)}`)}
        />
      </div>
      <SalesTable sales={sales} day={day} money={money} />
      <Installments person={person} filter={filter} now={now} />
    </Panel>
  );
}

/** What the success rate is made of and what it leaves out, each number with its own rows. */
async function Counts({
  attempts,
  filter,
}: {
  attempts: Attempts;
  filter: CardFilter;
}): Promise<ReactNode> {
  const t = await getTranslations('cards.sales');
  const link = (part: keyof Attempts): ReactNode => (
    <Link
      href={`/cards/payments${addressOf(cardParams({ ...filter, part }))}`}
      className="inline-flex min-h-6 items-center text-accent underline underline-offset-2"
    >
      {t(`counts.${part}`, { count: attempts[part] })}
    </Link>
  );
  const leftOut = (['unused_link', 'undecided'] as const).filter((part) => attempts[part] > 0);
  return (
    <span className="grid text-label font-normal text-muted">
      <span>
        {link('sold')} · {link('failed')}
      </span>
      {leftOut.length > 0 && (
        <span className="grid pt-1">
          {t('leftOut')}
          {leftOut.map((part) => (
            <span key={part}>{link(part)}</span>
          ))}
        </span>
      )}
    </span>
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
