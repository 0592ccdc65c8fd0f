import { getLocale, getTranslations } from 'next-intl/server';
import { toneOf, wordOf } from '#components/state-words.ts';
import type { Tone } from '#components/ui/pill.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import { shownIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { Found, LedgerHit, MovementHit, WithdrawalHit } from '#lib/search/find.ts';
import { workspace } from '#lib/runtime/workspace.ts';

/**
 * One row of a search in the reader's language. `id` is unique in its view; `href` is null when the
 * product has no page for the row.
 */
export type ShownHit = {
  id: string;
  href: string | null;
  title: string;
  detail: string;
  when: string;
  amount: string;
  state: { tone: Tone; text: string } | null;
  /** A companion of the row above it. */
  under: boolean;
};
export type ShownGroup = {
  name: string;
  title: string;
  hits: ShownHit[];
  /** Address of the list with every match; null when all matches are shown. */
  all: string | null;
};

type Words = Awaited<ReturnType<typeof getTranslations<'search'>>>;
/** What is needed to write a row: translations, locale and the present time (ISO). */
export type Writing = {
  t: Words;
  states: Awaited<ReturnType<typeof getTranslations<'states'>>>;
  locale: Locale;
  now: string;
};

export async function writing(): Promise<Writing> {
  return {
    t: await getTranslations('search'),
    states: await getTranslations('states'),
    locale: (await getLocale()) as Locale,
    now: new Date().toISOString(),
  };
}

export function group(
  name:
    | 'payouts'
    | 'transfers'
    | 'recipients'
    | 'wallets'
    | 'withdrawals'
    | 'ledger'
    | 'receipts'
    | 'failedTopUps'
    | 'notices'
    | 'cardPayments'
    | 'links'
    | 'plans'
    | 'customers'
    | 'providerLedger'
    | 'providerWithdrawals'
    | 'providerWallets'
    | 'actions',
  hits: ShownHit[],
  all: string | null,
  { t }: Writing,
): ShownGroup {
  return { name, title: t(`groups.${name}`), hits, all };
}

export function hit(
  id: string,
  href: string | null,
  title: string,
  detail: string,
  about: { at?: string; amount?: string; currency?: string },
  { locale, now }: Writing,
): ShownHit {
  return {
    id,
    href,
    title,
    detail,
    when: about.at ? formatDateTime(about.at, locale, { now, zone: workspace().timeZone }) : '',
    amount:
      about.amount === undefined || about.currency === undefined
        ? ''
        : formatMoney(about.amount, about.currency, locale),
    state: null,
    under: false,
  };
}

export function movementHit(one: MovementHit, list: 'payouts' | 'transfers', w: Writing): ShownHit {
  return {
    ...hit(
      `${list}-${one.id}`,
      `/${list}/${one.id}`,
      one.name,
      one.to.startsWith('TR') ? shownIban(one.to) : w.t('wallet', { number: one.to }),
      one,
      w,
    ),
    state: { tone: toneOf(one), text: w.states(wordOf(one)) },
  };
}

export function recipientHit(one: Found['recipients']['rows'][number], w: Writing): ShownHit {
  return hit(
    `recipients-${one.id}`,
    `/recipients/${one.id}`,
    one.name,
    one.number === null
      ? ''
      : one.number.startsWith('TR')
        ? shownIban(one.number)
        : w.t('wallet', { number: one.number }),
    {},
    w,
  );
}

export function failedTopUpHit(one: Found['failedTopUps']['rows'][number], w: Writing): ShownHit {
  return hit(
    `failed-${one.id}`,
    `/money-in/failed/${one.id}`,
    one.description ?? w.t('noName'),
    one.wallet === null ? '' : w.t('wallet', { number: one.wallet }),
    {
      at: one.at,
      ...(one.amount === null || one.currency === null
        ? {}
        : { amount: one.amount, currency: one.currency }),
    },
    w,
  );
}

export function receiptHit(one: Found['receipts']['rows'][number], w: Writing): ShownHit {
  return hit(`receipts-${one.id}`, `/receipts/${one.id}`, one.name, w.t('receiptReady'), one, w);
}

export function webhookHit(one: Found['notices']['rows'][number], w: Writing): ShownHit {
  return hit(
    `notices-${one.id}`,
    `/webhooks?notice=${one.id}`,
    w.t('notice'),
    one.extId ?? '',
    { at: one.at },
    w,
  );
}

/** `href` null: only the provider has this entry, so the product has no page for it. */
export function ledgerHit(one: LedgerHit, href: string | null, w: Writing): ShownHit {
  const detail = [w.t(`directions.${one.direction}`), one.iban && shownIban(one.iban), one.id]
    .filter(Boolean)
    .join(' · ');
  return hit(
    `ledger-${one.id}`,
    href,
    one.sender ?? one.description ?? one.type ?? w.t('noName'),
    detail,
    one,
    w,
  );
}

const LEVELS: Record<
  string,
  { tone: Tone; word: 'pending' | 'completed' | 'rejected' | 'failed' }
> = {
  pending: { tone: 'progress', word: 'pending' },
  completed: { tone: 'settled', word: 'completed' },
  rejected: { tone: 'failed', word: 'rejected' },
  failed: { tone: 'failed', word: 'failed' },
};

export function withdrawalHit(one: WithdrawalHit, href: string | null, w: Writing): ShownHit {
  const level = LEVELS[one.level] ?? { tone: 'unknown' as const, word: 'unknown' as const };
  return {
    ...hit(
      `withdrawals-${one.id}`,
      href,
      one.name ?? w.t('noName'),
      [one.iban && shownIban(one.iban), one.id].filter(Boolean).join(' · '),
      one,
      w,
    ),
    state: { tone: level.tone, text: w.t(`levels.${level.word}`) },
  };
}

export function walletHit(
  one: { number: string; name: string; currency: string },
  w: Writing,
): ShownHit {
  return hit(
    `wallets-${one.number}`,
    `/wallets/${one.number}`,
    one.name,
    `${w.t('wallet', { number: one.number })} · ${one.currency}`,
    {},
    w,
  );
}
