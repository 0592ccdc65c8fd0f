import { getLocale, getTranslations } from 'next-intl/server';
import { coverageWords } from '#app/reports/coverage-words.ts';
import type { OwnFrame } from '#app/reports/exports/request.ts';
import type { Person } from '#lib/access/actor.ts';
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
  const { days, list } = await withdrawalChips(filter, await walletNames(person));
  return [days, ...list.map(({ text }) => text)];
}

/** The report's own texts of a withdraw requests file, including its missing days. */
export async function withdrawalFrame(person: Person, filter: WithdrawalFilter): Promise<OwnFrame> {
  const [exports, t] = [await getTranslations('exports'), await getTranslations('withdrawals')];
  const locale = (await getLocale()) as Locale;
  return {
    fileName: exports('files.withdrawals'),
    title: t('title'),
    filter: await withdrawalFilterWords(person, filter),
    columns: t.raw('columns') as Record<string, string>,
    codes: {
      level: t.raw('levels') as Record<string, string>,
      part: t.raw('levels') as Record<string, string>,
      ours: {
        ...(MESSAGES[locale].states as Record<string, string>),
        NOT_OURS: t('beside.not_ours'),
      },
    },
    labels: {
      momentsIs: await coverageWords(await coverageOf(person.merchantId, 'withdrawals', filter)),
    },
  };
}
