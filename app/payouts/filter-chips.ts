import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { payoutListAddress, searchAmounts } from '#lib/payouts/filter.ts';
import { readSearch } from '#lib/form-fields/search-text.ts';
import { CARD_BALANCE } from '#lib/payouts/schema.ts';
import type { PayoutFilter, PayoutPart } from '#lib/payouts/filter.ts';
import type { WaitingGroup } from '#lib/movements/waiting.ts';
import type { WalletName } from '#lib/wallets/names.ts';

export type FilterChip = { key: string; text: string; href: string };

type Words = (
  key:
    | `parts.${PayoutPart}`
    | 'chips.part'
    | `chips.waits.${WaitingGroup}`
    | 'chips.text'
    | 'chips.textAmounts'
    | 'chips.or'
    | 'chips.wallet'
    | 'filter.cards'
    | 'chips.batch'
    | 'chips.pasted'
    | 'chips.recipient'
    | 'chips.picked'
    | 'chips.between'
    | 'chips.day'
    | 'chips.since'
    | 'chips.until',
  values?: Record<string, string | number>,
) => string;

/**
 * Each filter as a sentence; its address is the list without that filter. `recipient`, `batch`: the
 * names of those in the filter.
 */
export function filterChips(
  filter: PayoutFilter,
  {
    wallets,
    recipient,
    batch,
  }: { wallets: readonly WalletName[]; recipient: string | null; batch: string | null },
  locale: Locale,
  t: Words,
): FilterChip[] {
  const chips: FilterChip[] = [];
  const add = (key: string, text: string, without: Partial<PayoutFilter>): void => {
    chips.push({ key, text, href: `/payouts${payoutListAddress({ ...filter, ...without })}` });
  };
  if (filter.part !== null)
    add('part', t('chips.part', { part: t(`parts.${filter.part}`) }), { part: null });
  if (filter.waits !== null) add('waits', t(`chips.waits.${filter.waits}`), { waits: null });
  const search = readSearch(filter.text);
  if (search !== null) {
    const amounts = searchAmounts(search, locale).join(t('chips.or'));
    add(
      'text',
      amounts === ''
        ? t('chips.text', { text: filter.text })
        : t('chips.textAmounts', { text: filter.text, amounts }),
      { text: '' },
    );
  }
  if (filter.wallet !== null)
    add(
      'wallet',
      t('chips.wallet', {
        wallet:
          filter.wallet === CARD_BALANCE
            ? t('filter.cards')
            : (wallets.find((one) => one.number === filter.wallet)?.name ?? filter.wallet),
      }),
      { wallet: null },
    );
  if (filter.batch !== null)
    add('batch', t('chips.batch', { name: batch === '' ? t('chips.pasted') : (batch ?? '?') }), {
      batch: null,
    });
  if (filter.recipient !== null)
    add('recipient', t('chips.recipient', { name: recipient ?? '?' }), { recipient: null });
  if (filter.picked.length > 0)
    add('picked', t('chips.picked', { count: filter.picked.length }), { picked: [] });
  const days = daysText(filter, locale, t);
  if (days !== null) add('days', days, { from: null, to: null });
  return chips;
}

function daysText({ from, to }: PayoutFilter, locale: Locale, t: Words): string | null {
  if (from !== null && to !== null)
    return from === to
      ? t('chips.day', { day: formatDate(from, locale) })
      : t('chips.between', { from: formatDate(from, locale), to: formatDate(to, locale) });
  if (from !== null) return t('chips.since', { from: formatDate(from, locale) });
  return to === null ? null : t('chips.until', { to: formatDate(to, locale) });
}
