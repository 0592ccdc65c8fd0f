import { getLocale, getTranslations } from 'next-intl/server';
import { toneOf, wordOf } from '#components/state-words.ts';
import type { ListSum } from '#components/list-sums.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { Person } from '#lib/access/actor.ts';
import { formatDateTime, formatTime, isoInZone } from '#lib/values/dates.ts';
import { shownIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import {
  isNarrowed,
  NO_FILTER,
  PAYOUT_VIEWS,
  payoutListAddress,
  readPayoutQuery,
  sortedBy,
} from '#lib/payouts/filter.ts';
import type { PayoutFilter, PayoutSort } from '#lib/payouts/filter.ts';
import { listPayouts } from '#lib/payouts/list.ts';
import { FEW_MATCHES } from '#lib/readings/match-movements.ts';
import { CARD_BALANCE_PAYOUT } from '#lib/movements/kinds.ts';
import type { PayoutPage, PayoutRow } from '#lib/payouts/list.ts';
import { batchName } from '#lib/batches/name.ts';
import { recipientName } from '#lib/recipients/name.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { walletNames } from '#lib/wallets/names.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { filterChips } from './filter-chips.ts';
import { partSums } from './part-sums.ts';
import { searchKey } from './search-key.ts';

/**
 * A row with all its text formatted on the server. `at` is ISO; `whole` is ISO with the zone's
 * offset.
 */
export type ShownPayout = {
  id: string;
  name: string;
  iban: string;
  at: string;
  whole: string;
  when: string;
  wallet: string;
  tone: Tone;
  stopped: boolean;
  state: string;
  amount: string;
  /** The id of the downloadable receipt; null when there is none. */
  receipt: string | null;
  /** The words for an owner's release; null for everything else. */
  released: string | null;
};

type Sorted = { href: string; sorted?: 'ascending' | 'descending' };

/**
 * A list of payouts, drawn by the server with the page, and by the browser when it fetches other
 * rows.
 */
export type ListView = {
  /** The address that this list belongs to (`searchKey`). */
  key: string;
  /** False when this merchant has no payouts at all. */
  any: boolean;
  /** Null when `totals` is null. */
  caption: string | null;
  heads: Record<PayoutSort, Sorted>;
  rows: ShownPayout[];
  tabs: { href: string; text: string; current: boolean; count: number }[];
  chips: { href: string; text: string; remove: string }[];
  /**
   * Null when only rows were requested: another page or order of the same filter has the same
   * totals.
   */
  totals: { count: string; parts: ListSum[] } | null;
  newer: string | null;
  older: string | null;
  /** The message that is shown instead of rows. */
  empty: { title: string; text?: string; href?: string; action?: string } | null;
  /** The message that is shown when these rows could not be refreshed. */
  stale: string;
};

export async function viewList(
  person: Person,
  params: Record<string, string | string[] | undefined>,
  asked = { totals: true },
): Promise<{ view: ListView; filter: PayoutFilter; wallets: WalletName[] }> {
  const { filter, place } = readPayoutQuery(params);
  const [page, wallets, recipient, batch] = await Promise.all([
    listPayouts(person, { filter, place }, asked),
    walletNames(person),
    recipientName(person, filter.recipient),
    batchName(person, filter.batch),
  ]);
  const [t, states] = [await getTranslations('payouts'), await getTranslations('states')];
  const locale = (await getLocale()) as Locale;
  const head = (sort: PayoutSort): Sorted => ({
    href: addressOf(sortedBy(filter, sort)),
    ...(filter.sort === sort ? { sorted: filter.order } : {}),
  });
  const count = page.totals?.reduce((all, total) => all + total.count, 0) ?? null;
  const stateOf = (row: PayoutRow): string => states(wordOf(row));
  const view: ListView = {
    key: searchKey(params),
    any: page.any,
    caption: page.isOutOfTime
      ? t('title')
      : page.isUncounted
        ? t('table.captionUncounted', { most: FEW_MATCHES })
        : count === null
          ? null
          : t('table.caption', { count }),
    heads: { name: head('name'), date: head('date'), amount: head('amount') },
    rows: page.rows.map((row) =>
      shownPayout(row, page.now, wallets, locale, {
        cards: t('filter.cards'),
        state: stateOf(row),
        released: t('released'),
      }),
    ),
    tabs: PAYOUT_VIEWS.map((one) => ({
      href: addressOf({ ...filter, view: one, part: null, waits: null }),
      text: t(`views.${one}`),
      current: filter.view === one,
      count: one === 'attention' ? page.needAttention : 0,
    })),
    chips: filterChips(filter, { wallets, recipient, batch }, locale, t).map(({ href, text }) => ({
      href,
      text,
      remove: t('chips.remove', { filter: text }),
    })),
    totals: page.isOutOfTime
      ? { count: t('tooMany.totals'), parts: [] }
      : page.isUncounted
        ? { count: t('uncounted', { most: FEW_MATCHES }), parts: [] }
        : page.totals && {
            count: t('totals', { count: count! }),
            parts: partSums(page.totals, filter, {
              locale,
              label: (part) => t(`parts.${part}`),
              address: addressOf,
            }),
          },
    newer: page.newer && addressOf(filter, page.newer),
    older: page.older && addressOf(filter, page.older),
    empty: page.rows.length === 0 ? nothing(filter, page, t) : null,
    stale: t('stale', { time: formatTime(page.now, { zone: workspace().timeZone }) }),
  };
  return { view, filter, wallets };
}

function addressOf(filter: PayoutFilter, place: PayoutPage['newer'] = null): string {
  return `/payouts${payoutListAddress(filter, place)}`;
}

function shownPayout(
  row: PayoutRow,
  now: string,
  wallets: readonly WalletName[],
  locale: Locale,
  { cards, state, released }: { cards: string; state: string; released: string },
): ShownPayout {
  const zone = workspace().timeZone;
  return {
    id: row.id,
    name: row.name,
    iban: shownIban(row.iban),
    at: row.createdAt,
    whole: isoInZone(row.createdAt, zone),
    when: formatDateTime(row.createdAt, locale, { zone, now }),
    wallet:
      row.kind === CARD_BALANCE_PAYOUT
        ? cards
        : (wallets.find((wallet) => wallet.number === row.wallet)?.name ?? row.wallet),
    tone: toneOf(row),
    stopped: row.state === 'CANCELLED' || row.state === 'EXPIRED',
    state,
    amount: formatMoney(row.amount, row.currency, locale),
    receipt: row.receipt,
    released: row.isReleased ? released : null,
  };
}

type Words = Awaited<ReturnType<typeof getTranslations<'payouts'>>>;

function nothing(filter: PayoutFilter, page: PayoutPage, t: Words): ListView['empty'] {
  if (page.isOutOfTime) return { title: t('tooMany.title'), text: t('tooMany.text') };
  if (page.totals === null || page.totals.length > 0)
    return { title: t('emptyPage.title'), href: addressOf(filter), action: t('emptyPage.first') };
  if (!isNarrowed(filter)) return { title: t(`emptyView.${filter.view}`) };
  return {
    title: t('emptyFilter.title'),
    text: t('emptyFilter.text'),
    href: addressOf({ ...NO_FILTER, view: filter.view }),
    action: t('chips.clear'),
  };
}
