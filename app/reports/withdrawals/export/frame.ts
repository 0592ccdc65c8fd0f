import { getLocale, getTranslations } from 'next-intl/server';
import { coverageWords } from '#app/reports/transactions/export/frame.ts';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { ExportAsked } from '#lib/exports/ask.ts';
import type { Locale } from '#lib/values/locale.ts';
import { MESSAGES } from '#lib/runtime/messages.ts';
import { coverageOf } from '#lib/provider-records/coverage.ts';
import type { WithdrawalFilter } from '#lib/reports/withdrawals/filter.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { withdrawalChips } from '../chips.ts';

/** The filter as sentences; the days come first. */
export async function withdrawalFilterWords(
  person: Person,
  filter: WithdrawalFilter,
): Promise<string[]> {
  const { days, list } = withdrawalChips(
    filter,
    await walletNames(person),
    (await getLocale()) as Locale,
    await getTranslations('withdrawals'),
  );
  return [days, ...list.map(({ text }) => text)];
}

/**
 * All texts of a withdraw requests file, including its missing days. `day` is today, 'YYYY-MM-DD'.
 */
export async function withdrawalFrame(
  person: Person,
  filter: WithdrawalFilter,
  day: string,
): Promise<ExportAsked['frame']> {
  const [exports, t, locale] = [
    await getTranslations('exports'),
    await getTranslations('withdrawals'),
    (await getLocale()) as Locale,
  ];
  const labels = exports.raw('labels') as Omit<ExportAsked['frame']['labels'], 'personalIs'> &
    Record<'personalWhole' | 'personalMasked', string>;
  return {
    locale,
    fileName: `${exports('files.withdrawals')}-${day}`,
    title: t('title'),
    filter: await withdrawalFilterWords(person, filter),
    columns: t.raw('columns') as Record<string, string>,
    codes: {
      level: t.raw('levels') as Record<string, string>,
      ours: {
        ...(MESSAGES[locale].states as Record<string, string>),
        NOT_OURS: t('beside.not_ours'),
      },
    },
    labels: {
      ...labels,
      momentsIs: await coverageWords(await coverageOf(person.merchantId, 'withdrawals', filter)),
      personalIs: may(person.role, 'payee.read') ? labels.personalWhole : labels.personalMasked,
    },
  };
}
