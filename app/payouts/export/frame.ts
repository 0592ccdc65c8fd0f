import { getLocale, getTranslations } from 'next-intl/server';
import { filterChips } from '#app/payouts/filter-chips.ts';
import type { OwnFrame } from '#app/reports/exports/request.ts';
import type { Person } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { MESSAGES } from '#lib/runtime/messages.ts';
import type { PayoutFilter } from '#lib/payouts/filter.ts';
import { batchName } from '#lib/batches/name.ts';
import { recipientName } from '#lib/recipients/name.ts';
import { walletNames } from '#lib/wallets/names.ts';

/** The filter as sentences; empty when it excludes nothing. */
export async function payoutFilterWords(person: Person, filter: PayoutFilter): Promise<string[]> {
  const t = await getTranslations('payouts');
  const chips = filterChips(
    filter,
    {
      wallets: await walletNames(person),
      recipient: await recipientName(person, filter.recipient),
      batch: await batchName(person, filter.batch),
    },
    (await getLocale()) as Locale,
    t,
  );
  return [
    ...(filter.view === 'all' ? [] : [t(`views.${filter.view}`)]),
    ...chips.map((chip) => chip.text),
  ];
}

/** The list's own texts of a payouts file. */
export async function payoutFrame(person: Person, filter: PayoutFilter): Promise<OwnFrame> {
  const payouts = await getTranslations('payouts');
  const [t, locale] = [await getTranslations('exports'), (await getLocale()) as Locale];
  return {
    fileName: t('files.payouts'),
    title: t('sources.payouts'),
    filter: await payoutFilterWords(person, filter),
    columns: t.raw('columns') as Record<string, string>,
    codes: {
      state: MESSAGES[locale].states as Record<string, string>,
      part: payouts.raw('parts') as Record<string, string>,
    },
  };
}
