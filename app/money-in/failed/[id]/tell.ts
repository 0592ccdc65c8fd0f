import 'server-only';
import { createTranslator } from 'next-intl';
import { formatDate } from '#lib/values/dates.ts';
import { groupIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { CaseView } from '#lib/money-in/cases.ts';
import type { FailedTopUpKind } from '#lib/money-in/kind.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import en from '../../../../messages/en/money-in.json' with { type: 'json' };
import tr from '../../../../messages/tr/money-in.json' with { type: 'json' };

const WORDS = { tr: tr.tell, en: en.tell };

/** Who can resolve each kind of failure. */
export const TELL_WHOM: Record<FailedTopUpKind, 'sender' | 'provider' | 'owner'> = {
  no_such_wallet: 'sender',
  limit: 'owner',
  level_limit: 'provider',
  repeated: 'sender',
  other: 'provider',
};

/**
 * The message to the party in `TELL_WHOM`, in the given language. The message does not name a
 * wallet that is only a guess.
 */
export function tellText(one: CaseView, locale: Locale): string {
  const t = createTranslator({ locale, messages: WORDS[locale] });
  const likely = one.likely?.confidence === 'guess' ? null : one.likelyName;
  const to =
    likely === null
      ? t('toRight')
      : likely.iban === null
        ? t('toWallet', { number: likely.number })
        : t('toWalletAndIban', { number: likely.number, iban: groupIban(likely.iban) });
  const of = likely === null ? t('ofSome') : t('ofWallet', { number: likely.number });
  return t(one.kind, {
    amount:
      one.amount === null ? t('someAmount') : formatMoney(one.amount, one.currency ?? '', locale),
    date: formatDate(one.firstAt, locale, { long: true, zone: workspace().timeZone }),
    description: one.description === null ? '' : t('described', { text: one.description }),
    wallet: one.kind === 'no_such_wallet' ? to : of,
    code: one.code ?? '–',
    message: one.message ?? '–',
  }).replace(/ {2,}/g, ' ');
}
