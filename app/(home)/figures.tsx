import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { timeOf } from '#components/balances-as-of.tsx';
import { KnownFirst } from '#components/known-first.tsx';
import { knownSums } from '#components/known-sums.ts';
import type { KnownSum } from '#components/known-sums.ts';
import { Skeleton } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { sumAuthorizations } from '#lib/cards/payments/authorizations.ts';
import type { AuthorizationBucket } from '#lib/cards/payments/authorization.ts';
import { cardParams, NO_CARD_FILTER } from '#lib/cards/payments/filter.ts';
import type { CardFilter, CardPartFilter } from '#lib/cards/payments/filter.ts';
import { sumCardPayments } from '#lib/cards/payments/list.ts';
import type { CardTotal } from '#lib/cards/payments/list.ts';
import { sumsOf } from '#lib/cards/payments/totals.ts';
import { NO_FILTER, payoutListAddress } from '#lib/payouts/filter.ts';
import type { PayoutFilter, PayoutPart } from '#lib/payouts/filter.ts';
import { sumPayouts } from '#lib/payouts/list.ts';
import { addDays, dayIn, mondayOf } from '#lib/values/dates.ts';
import type { DayRange } from '#lib/values/dates.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { totalsOf } from '#lib/wallets/view.ts';
import type { KnownView, WalletView } from '#lib/wallets/view.ts';
import { keptWalletsOf, walletsOf } from './wallets.ts';

type Sum = Omit<KnownSum, 'unknown'> & Partial<KnownSum>;
/** One figure: its label, the list that it sums, and a sum for each currency. */
type Line = { label: string; href: string; sums: readonly Sum[] };

const LIRA = 'TRY';
const LINE =
  'flex min-h-6 items-center justify-between gap-x-3 text-label text-muted ' +
  'hover:text-ink pointer-coarse:min-h-11';
const AUTHORIZATIONS = '/cards/authorizations';

/**
 * Four figures of the day, as far as the person's role may see them; each links to the list that it
 * sums.
 */
export async function Figures({ person }: { person: Person }): Promise<ReactNode> {
  const t = await getTranslations('home.figures');
  const figures = await Promise.all([
    may(person.role, 'wallet.read') && balance(person),
    may(person.role, 'movement.read') && payouts(person),
    may(person.role, 'card.read') && cardSales(person),
    may(person.role, 'card.read') && authorizations(person),
  ]);
  return (
    <section aria-label={t('title')}>
      <FigureGrid>{figures}</FigureGrid>
    </section>
  );
}

function FigureGrid({ children }: { children: ReactNode }): ReactNode {
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2 xl:grid-cols-4">
      {children}
    </ul>
  );
}

async function balance(person: Person): Promise<ReactNode> {
  return (
    <KnownFirst
      key="balance"
      known={await keptWalletsOf(person)}
      ask={() => walletsOf(person)}
      render={(known, isAsking) => <Balance known={known} isAsking={isAsking} />}
      loading={<FigureLoading />}
    />
  );
}

async function Balance({
  known: { value, fresh, at },
  isAsking,
}: {
  known: KnownView<WalletView[]>;
  isAsking: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('home.figures');
  const wallets = await getTranslations('wallets');
  // Without any answer from the provider the balance is unknown and must not be shown as zero.
  const sums =
    value === null ? [{ currency: LIRA, sum: null }] : byLiraFirst(totalsOf(value).map(toSum));
  return (
    <Figure
      line={{ label: t('balance'), href: '/wallets', sums: sums.slice(0, 1) }}
      isOld={!fresh}
      lines={sums.slice(1).map((sum) => ({
        label: t('otherCurrency', { currency: sum.currency }),
        href: '/wallets',
        sums: [sum],
      }))}
      note={
        at === null
          ? null
          : fresh || isAsking
            ? { text: wallets('asOf', { time: await timeOf(at) }), isUrgent: false }
            : { text: t('unreachable', { time: await timeOf(at) }), isUrgent: true }
      }
    />
  );
}

async function payouts(person: Person): Promise<ReactNode> {
  const t = await getTranslations('home.figures');
  const parts = await getTranslations('payouts.parts');
  const { today, week, lastWeek } = await periods();
  const filterOf = (days: DayRange, part: PayoutPart | null): PayoutFilter => ({
    ...NO_FILTER,
    ...days,
    part,
  });
  const [ofToday, ofWeek, ofLastWeek] = await Promise.all([
    sumPayouts(person, filterOf(today, null)),
    sumPayouts(person, filterOf(week, null)),
    sumPayouts(person, filterOf(lastWeek, null)),
  ]);
  const line = (
    label: string,
    days: DayRange,
    part: PayoutPart,
    totals: readonly (Sum & { part: PayoutPart })[],
  ): Line => ({
    label,
    href: `/payouts${payoutListAddress(filterOf(days, part))}`,
    sums: totals.filter((total) => total.part === part),
  });
  const unknown = (period: string, days: DayRange, totals: Parameters<typeof line>[3]): Line[] =>
    [line(t('ofPeriod', { period, part: parts('unknown') }), days, 'unknown', totals)].filter(
      hasSums,
    );
  return (
    <Figure
      key="payouts"
      line={line(t('payouts'), today, 'paid', ofToday)}
      lines={[
        ...(['pending', 'unknown', 'returned'] as const)
          .map((part) => line(parts(part), today, part, ofToday))
          .filter(hasSums),
        line(t('week'), week, 'paid', ofWeek),
        ...unknown(t('week'), week, ofWeek),
        line(t('lastWeek'), lastWeek, 'paid', ofLastWeek),
        ...unknown(t('lastWeek'), lastWeek, ofLastWeek),
      ]}
    />
  );
}

/** A sale stays in these figures when it is refunded since: they are those of the sales chart. */
async function cardSales(person: Person): Promise<ReactNode> {
  const t = await getTranslations('home.figures');
  const parts = await getTranslations('cards.parts');
  const { today, week, sameDay } = await periods();
  const filterOf = (days: DayRange, part: CardPartFilter | null): CardFilter => ({
    ...NO_CARD_FILTER,
    ...days,
    part,
  });
  const [ofToday, ofWeek, ofSameDay] = await Promise.all([
    sumCardPayments(person, filterOf(today, null)),
    sumCardPayments(person, filterOf(week, null)),
    sumCardPayments(person, filterOf(sameDay, null)),
  ]);
  const line = (
    label: string,
    days: DayRange,
    part: CardPartFilter,
    totals: readonly CardTotal[],
  ): Line => ({
    label,
    href: `/cards/payments${addressOf(cardParams(filterOf(days, part)))}`,
    sums: sumsOf(totals, part),
  });
  const unknown = (period: string, days: DayRange, totals: Parameters<typeof line>[3]): Line[] =>
    (['perhaps_taken', 'awaited'] as const)
      .map((part) => line(t('ofPeriod', { period, part: parts(part) }), days, part, totals))
      .filter(hasSums);
  return (
    <Figure
      key="cards"
      line={line(t('cards'), today, 'sold', ofToday)}
      lines={[
        ...(['held', 'perhaps_taken', 'awaited'] as const)
          .map((part) => line(parts(part), today, part, ofToday))
          .filter(hasSums),
        line(t('week'), week, 'sold', ofWeek),
        ...unknown(t('week'), week, ofWeek),
        line(t('sameDay'), sameDay, 'sold', ofSameDay),
        ...unknown(t('sameDay'), sameDay, ofSameDay),
      ]}
    />
  );
}

async function authorizations(person: Person): Promise<ReactNode> {
  const t = await getTranslations('home.figures');
  const buckets = await sumAuthorizations(person);
  const line = (label: string, bucket: AuthorizationBucket): Line => ({
    label,
    href: `${AUTHORIZATIONS}?bucket=${bucket}`,
    sums: buckets.find((one) => one.bucket === bucket)!.sums,
  });
  const rare = [line(t('tooOld'), 'too_old'), line(t('ageUnknown'), 'age_unknown')];
  return (
    <Figure
      key="authorizations"
      line={line(t('endToday'), 'today')}
      lines={[line(t('endDays3'), 'days3'), line(t('endDays7'), 'days7'), ...rare.filter(hasSums)]}
    />
  );
}

/**
 * The periods of the figures: today, this week so far, the same days of last week, and last week's
 * same day.
 */
async function periods(): Promise<Record<'today' | 'week' | 'lastWeek' | 'sameDay', DayRange>> {
  const today = dayIn(new Date().toISOString(), await getTimeZone());
  const monday = mondayOf(today);
  const before = addDays(today, -7);
  return {
    today: { from: today, to: today },
    week: { from: monday, to: today },
    lastWeek: { from: addDays(monday, -7), to: before },
    sameDay: { from: before, to: before },
  };
}

async function Figure({
  line,
  lines,
  note = null,
  isOld = false,
}: {
  line: Line;
  lines: readonly Line[];
  note?: { text: string; isUrgent: boolean } | null;
  isOld?: boolean;
}): Promise<ReactNode> {
  const words = await moneyWords();
  return (
    <li className="grid content-start gap-2 rounded-panel border border-hairline bg-surface px-4 py-3">
      <Link href={line.href} data-figure className="group grid gap-0.5">
        <span className="text-label font-medium text-muted">{line.label}</span>
        <span
          className={`text-title font-semibold tabular-nums group-hover:underline ${isOld ? 'text-muted' : ''}`}
        >
          {words(line.sums)}
        </span>
      </Link>
      {note !== null && (
        <p className={`text-label ${note.isUrgent ? 'text-attention' : 'text-muted'}`}>
          {note.text}
        </p>
      )}
      {lines.length > 0 && (
        <ul className="grid border-t border-hairline pt-1.5">
          {lines.map(({ label, href, sums }) => (
            <li key={label}>
              <Link href={href} data-figure className={LINE}>
                <span>{label}</span>
                <span className="text-right font-medium text-ink tabular-nums">{words(sums)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/**
 * Formats sums as text, lira first: "₺0,00" for an empty list; what is not known is called unknown.
 */
async function moneyWords(): Promise<(sums: readonly Sum[]) => string> {
  const t = await getTranslations('home.figures');
  const cards = await getTranslations('cards');
  const locale = (await getLocale()) as Locale;
  return (sums) => {
    if (sums.length === 0) return formatMoney('0.00', LIRA, locale);
    if (sums.every(({ sum, unknown }) => sum === null && unknown === undefined))
      return t('unknown');
    const all = byLiraFirst(sums).map((one) => ({ unknown: one.sum === null ? 1 : 0, ...one }));
    return knownSums(all, locale, (count) => cards('unknownAmounts', { count })).join(' + ');
  };
}

function hasSums({ sums }: Line): boolean {
  return sums.length > 0;
}

function byLiraFirst(sums: readonly Sum[]): Sum[] {
  return sums.toSorted((a, b) => Number(b.currency === LIRA) - Number(a.currency === LIRA));
}

function toSum({ currency, available }: { currency: string; available: string | null }): Sum {
  return { currency, sum: available };
}

function FigureLoading(): ReactNode {
  return (
    <li className="grid content-start gap-2 rounded-panel border border-hairline bg-surface px-4 py-3">
      <Skeleton className="h-4 w-28" />
      <Skeleton className="h-7 w-36" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-4 w-24" />
    </li>
  );
}
