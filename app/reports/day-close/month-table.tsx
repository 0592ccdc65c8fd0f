import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { ICON_HAND, Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { formatDate } from '#lib/values/dates.ts';
import type { DayView, MonthView } from '#lib/reports/day-close/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { isNothing, shown } from './amounts.ts';

type Words = Awaited<ReturnType<typeof getTranslations<'dayClose'>>>;
type Props = {
  view: MonthView;
  caption: string;
  open: string | null;
  address: (day: string) => string;
};

/**
 * A month as a statement: each day opens with the closing balance of the day before. The latest day
 * is first.
 */
export async function MonthTable({ view, caption, open, address }: Props): Promise<ReactNode> {
  const t = await getTranslations('dayClose');
  const locale = (await getLocale()) as Locale;
  const { currency } = view.wallet;
  return (
    <Table
      caption={caption}
      head={
        <>
          <Head>{t('columns.day')}</Head>
          <Head numeric wide>
            {t('columns.opening')}
          </Head>
          <Head numeric>{t('columns.in')}</Head>
          <Head numeric>{t('columns.out')}</Head>
          <Head numeric wide>
            {t('columns.fees')}
          </Head>
          <Head numeric>{t('columns.closing')}</Head>
          <Head>{t('columns.state')}</Head>
          <Head wide>{t('columns.breaks')}</Head>
        </>
      }
    >
      {view.days.toReversed().map((one) => (
        <DayLine
          key={one.day}
          day={one}
          currency={currency}
          isOpen={one.day === open}
          href={address(one.day)}
          locale={locale}
          t={t}
        />
      ))}
      <SumLine view={view} locale={locale} t={t} />
    </Table>
  );
}

const TONES: Record<DayView['state'], Tone> = {
  closed: 'held',
  open: 'draft',
  today: 'progress',
  before: 'draft',
};

function DayLine({
  day,
  currency,
  isOpen,
  href,
  locale,
  t,
}: {
  day: DayView;
  currency: string;
  isOpen: boolean;
  href: string;
  locale: Locale;
  t: Words;
}): ReactNode {
  return (
    <Row>
      <Cell first>
        <Link
          href={href}
          scroll={false}
          data-row-link
          aria-current={isOpen ? 'true' : undefined}
          className={`whitespace-nowrap text-accent hover:underline ${
            isOpen ? 'font-semibold underline' : 'font-medium'
          }`}
        >
          {formatDate(day.day, locale)}
        </Link>
      </Cell>
      <td data-label={t('columns.opening')} className="wide numeric max-sm:hidden">
        <Quiet>{shown(day.opening, currency, locale)}</Quiet>
      </td>
      <Moved label={t('columns.in')} nothing={isNothing(day.in)}>
        {formatMoney(day.in, currency, locale, { sign: 'always' })}
      </Moved>
      <Moved label={t('columns.out')} nothing={isNothing(day.out)}>
        {formatMoney(`-${day.out}`, currency, locale)}
      </Moved>
      <Moved label={t('columns.fees')} nothing={isNothing(day.fees)} wide>
        {formatMoney(`-${day.fees}`, currency, locale)}
      </Moved>
      <Cell label={t('columns.closing')} numeric>
        {shown(day.closing, currency, locale)}
        {!isNothing(day.carried) && (
          <Quiet>
            {t('carriedHere', {
              sum: formatMoney(day.carried, currency, locale, { sign: 'always' }),
            })}
          </Quiet>
        )}
      </Cell>
      <Cell label={t('columns.state')}>
        <DayState day={day} currency={currency} locale={locale} />
        {day.breaks.length > 0 && (
          <span className="mt-1 hidden sm:max-xl:block">
            <Breaks day={day} t={t} />
          </span>
        )}
      </Cell>
      <td
        data-label={t('columns.breaks')}
        className={day.breaks.length === 0 ? 'wide max-sm:hidden' : 'wide'}
      >
        {day.breaks.length === 0 ? <Quiet>{t('noBreaks')}</Quiet> : <Breaks day={day} t={t} />}
      </td>
    </Row>
  );
}

function Breaks({ day, t }: { day: DayView; t: Words }): ReactNode {
  return (
    <span className="[&>*]:whitespace-normal">
      <Pill tone="attention" icon={ICON_HAND}>
        {day.breaks.map(({ kind }) => t(`short.${kind}`)).join(', ')}
      </Pill>
    </span>
  );
}

/** The month's sums, with the signs of the days above them. */
function SumLine({ view, locale, t }: { view: MonthView; locale: Locale; t: Words }): ReactNode {
  const { currency } = view.wallet;
  const summed = (amount: string, direction: 'in' | 'out'): string => {
    if (isNothing(amount)) return '–';
    return formatMoney(direction === 'out' ? `-${amount}` : amount, currency, locale, {
      sign: 'always',
    });
  };
  return (
    <tr className="row font-semibold">
      <td className="first">{t('sums')}</td>
      <td aria-hidden className="wide max-sm:hidden" />
      <td data-label={t('columns.in')} className="numeric">
        {summed(view.sums.in, 'in')}
      </td>
      <td data-label={t('columns.out')} className="numeric">
        {summed(view.sums.out, 'out')}
      </td>
      <td data-label={t('columns.fees')} className="wide numeric">
        {summed(view.sums.fees, 'out')}
      </td>
      <td colSpan={2} className="font-normal text-muted">
        {t('detail.lines', { count: view.days.reduce((sum, one) => sum + one.lines, 0) })}
      </td>
      <td aria-hidden className="wide max-sm:hidden" />
    </tr>
  );
}

export async function DayState({
  day,
  currency,
  locale,
}: {
  day: DayView;
  currency: string;
  locale: Locale;
}): Promise<ReactNode> {
  const t = await getTranslations('dayClose');
  return (
    <span className="flex flex-wrap items-center gap-1.5 max-sm:justify-end">
      <Pill tone={TONES[day.state]}>{t(`states.${day.state}`)}</Pill>
      {day.late !== null && (
        <Pill tone="attention">
          {t('late', { sum: formatMoney(day.late.net, currency, locale, { sign: 'always' }) })}
        </Pill>
      )}
    </span>
  );
}

/** A figure of a day: a dash, which a phone hides, when nothing moved. */
function Moved({
  label,
  nothing,
  wide = false,
  children,
}: {
  label: string;
  nothing: boolean;
  wide?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <td
      data-label={label}
      className={`numeric ${wide ? 'wide' : ''} ${nothing ? 'max-sm:hidden' : ''}`}
    >
      {nothing ? '–' : children}
    </td>
  );
}

function Quiet({ children }: { children: ReactNode }): ReactNode {
  return <span className="block font-normal whitespace-normal text-muted">{children}</span>;
}
