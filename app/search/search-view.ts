import { getLocale, getTranslations } from 'next-intl/server';
import { navigationOf } from '#app/navigation.ts';
import { toneOf, wordOf } from '#components/state-words.ts';
import type { Tone } from '#components/ui/pill.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { formatDateTime, dayIn } from '#lib/values/dates.ts';
import { shownIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount, formatMoney } from '#lib/values/money.ts';
import { askProvider, PROVIDER_DAYS } from '#lib/search/ask-provider.ts';
import { findHere } from '#lib/search/find.ts';
import type { Found, LedgerHit, MovementHit, WithdrawalHit } from '#lib/search/find.ts';
import { tidyText, understand, wordsOf } from '#lib/search/understand.ts';
import type { Reading } from '#lib/search/understand.ts';
import { workspace } from '#lib/runtime/workspace.ts';

/**
 * One row in the reader's words. `id` is unique in its view; without `href` there is no page of it
 * here.
 */
export type ShownHit = {
  id: string;
  href: string | null;
  title: string;
  detail: string;
  when: string;
  amount: string;
  state: { tone: Tone; text: string } | null;
};
export type ShownGroup = {
  name: string;
  title: string;
  hits: ShownHit[];
  /** The list with everything that fits. */ all: string | null;
};

/** What a search shows, whoever draws it: the page, or the box that is open over another one. */
export type SearchView = {
  text: string;
  /** How the text was understood, or why it was not searched; empty for an empty box. */
  said: string;
  note: string;
  groups: ShownGroup[];
  /** True when the provider may know more: it is asked on a press. */
  canAsk: boolean;
  /** How many rows were found. */
  count: number;
};

type Words = Awaited<ReturnType<typeof getTranslations<'search'>>>;
type Writing = {
  t: Words;
  states: Awaited<ReturnType<typeof getTranslations<'states'>>>;
  locale: Locale;
  now: string;
};

async function writing(): Promise<Writing> {
  return {
    t: await getTranslations('search'),
    states: await getTranslations('states'),
    locale: (await getLocale()) as Locale,
    now: new Date().toISOString(),
  };
}

/** What is known here. */
export async function viewSearch(person: Person, typed: string): Promise<SearchView> {
  const w = await writing();
  const understood = understand(typed);
  const text = understood.kind === 'card' ? '' : tidyText(typed);
  const nothing: SearchView = { text, said: '', note: '', groups: [], canAsk: false, count: 0 };
  const actions = await actionsFor(person, text, w);
  if (understood.kind === 'nothing') return { ...nothing, groups: actions };
  if (understood.kind === 'card') return { ...nothing, said: w.t('card') };
  const { readings } = understood;
  if (readings.length === 0) return { ...nothing, said: w.t('notUnderstood'), groups: actions };
  const found = groupsOf(await findHere(person, readings), text, w);
  const hidden =
    !may(person.role, 'payee.read') && readings.some((one) => one.kind === 'iban_start');
  return {
    ...nothing,
    said: saidOf(readings, w),
    note: hidden ? w.t('ibanWhole') : '',
    groups: [...found, ...actions],
    canAsk: readings.some((one) =>
      ['iban', 'reference', 'number', 'wallet', 'amount'].includes(one.kind),
    ),
    count: found.reduce((all, group) => all + group.hits.length, 0),
  };
}

/** What the provider knows, marked as from there. */
export async function viewProviderSearch(
  person: Person,
  typed: string,
): Promise<Pick<SearchView, 'said' | 'groups'>> {
  const w = await writing();
  const understood = understand(typed);
  const heard =
    understood.kind === 'readings'
      ? await askProvider(person, understood.readings)
      : { kind: 'cannot' as const };
  if (heard.kind === 'cannot') return { said: w.t('providerCannot'), groups: [] };
  const groups = [
    group(
      'providerWithdrawals',
      heard.withdrawals.map((one) => withdrawalHit(one, null, w)),
      null,
      w,
    ),
    group(
      'providerLedger',
      heard.ledger.map((one) => ledgerHit(one, null, w)),
      null,
      w,
    ),
    group(
      'providerWallets',
      heard.wallets.map((one) => walletHit(one, w)),
      null,
      w,
    ),
  ].filter((one) => one.hits.length > 0);
  const said = heard.silent
    ? w.t('providerSilent')
    : groups.length === 0
      ? w.t('providerNone', { days: PROVIDER_DAYS })
      : w.t('providerRange', { days: PROVIDER_DAYS });
  return {
    said,
    groups: groups.map((one) => ({
      ...one,
      hits: one.hits.map((hit) => ({ ...hit, id: `provider-${hit.id}` })),
    })),
  };
}

function saidOf(readings: readonly Reading[], { t, locale }: Writing): string {
  const words = readings.map((reading) => {
    switch (reading.kind) {
      case 'iban':
        return t(reading.fits ? 'readings.iban' : 'readings.iban_unfit');
      case 'reference':
        return t(reading.whole ? 'readings.reference_whole' : 'readings.reference');
      case 'tax_number':
        return t(`readings.${reading.type}`);
      case 'amount':
        return t('readings.amount', {
          amounts: reading.amounts
            .map((one) =>
              reading.currency === null
                ? formatAmount(one, locale)
                : formatMoney(one, reading.currency, locale),
            )
            .join(t('or')),
        });
      default:
        return t(`readings.${reading.kind}`);
    }
  });
  const listed = new Intl.ListFormat(locale, { type: 'disjunction' }).format(words);
  const sentence = t('as', { readings: listed });
  return sentence.charAt(0).toLocaleUpperCase(locale) + sentence.slice(1);
}

function groupsOf(found: Found, text: string, w: Writing): ShownGroup[] {
  const q = encodeURIComponent(text);
  const more = (one: { more: boolean }, list: string): string | null => (one.more ? list : null);
  return [
    group(
      'payouts',
      found.payouts.rows.map((one) => movementHit(one, 'payouts', w)),
      more(found.payouts, `/payouts?q=${q}`),
      w,
    ),
    group(
      'transfers',
      found.transfers.rows.map((one) => movementHit(one, 'transfers', w)),
      more(found.transfers, `/transfers?q=${q}`),
      w,
    ),
    group(
      'recipients',
      found.recipients.rows.map((one) =>
        hit(
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
        ),
      ),
      more(found.recipients, `/recipients?q=${q}`),
      w,
    ),
    group(
      'wallets',
      found.wallets.rows.map((one) => walletHit(one, w)),
      more(found.wallets, '/wallets'),
      w,
    ),
    group(
      'withdrawals',
      found.withdrawals.rows.map((one) =>
        withdrawalHit(one, `/reports/withdrawals/${encodeURIComponent(one.id)}`, w),
      ),
      more(found.withdrawals, `/reports/withdrawals?q=${q}&from=${since(found.withdrawals)}`),
      w,
    ),
    group(
      'ledger',
      found.ledger.rows.map((one) =>
        ledgerHit(one, `/reports/transactions/${encodeURIComponent(one.id)}`, w),
      ),
      more(found.ledger, `/reports/transactions?q=${q}&from=${since(found.ledger)}`),
      w,
    ),
    group(
      'failedTopUps',
      found.failedTopUps.rows.map((one) =>
        hit(
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
        ),
      ),
      more(found.failedTopUps, '/money-in/failed'),
      w,
    ),
    group(
      'receipts',
      found.receipts.rows.map((one) =>
        hit(`receipts-${one.id}`, `/receipts/${one.id}`, one.name, w.t('receiptReady'), one, w),
      ),
      more(found.receipts, `/receipts?q=${q}`),
      w,
    ),
    group(
      'notices',
      found.notices.rows.map((one) =>
        hit(
          `notices-${one.id}`,
          `/webhooks?notice=${one.id}`,
          w.t('notice'),
          one.extId ?? '',
          { at: one.at },
          w,
        ),
      ),
      more(found.notices, `/webhooks?q=${q}`),
      w,
    ),
  ].filter((one) => one.hits.length > 0);
}

/** A report shows days: from the oldest of those that were found. */
function since({ rows }: { rows: { at: string }[] }): string {
  return dayIn(rows.at(-1)?.at ?? new Date().toISOString(), workspace().timeZone);
}

function group(
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

function hit(
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
  };
}

function movementHit(one: MovementHit, list: 'payouts' | 'transfers', w: Writing): ShownHit {
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

/** What only the provider knows has no page here yet. */
function ledgerHit(one: LedgerHit, href: string | null, w: Writing): ShownHit {
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

function withdrawalHit(one: WithdrawalHit, href: string | null, w: Writing): ShownHit {
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

function walletHit(one: { number: string; name: string; currency: string }, w: Writing): ShownHit {
  return hit(
    `wallets-${one.number}`,
    `/wallets/${one.number}`,
    one.name,
    `${w.t('wallet', { number: one.number })} · ${one.currency}`,
    {},
    w,
  );
}

/**
 * Where the person may go and what may be begun, by the beginnings of its words; all of it for an
 * empty box.
 */
async function actionsFor(person: Person, text: string, w: Writing): Promise<ShownGroup[]> {
  const names = await getTranslations('shell.items');
  const places = navigationOf(person.role);
  const all = [
    ...(may(person.role, 'payout.prepare')
      ? [
          { href: '/payouts/new', title: w.t('newPayout') },
          { href: '/transfers/new', title: (await getTranslations('newTransfer'))('title') },
        ]
      : []),
    ...(may(person.role, 'wallet.create')
      ? [{ href: '/wallets/new', title: (await getTranslations('newWallet'))('title') }]
      : []),
    ...[...places.daily, ...places.other].map((item) => ({
      href: item.href,
      title: w.t('goTo', { place: names(item.name) }),
    })),
  ];
  const wanted = wordsOf(text);
  const fits = all.filter(({ title }) =>
    wanted.every((want) => wordsOf(title).some((word) => word.startsWith(want))),
  );
  const hits = fits.map(({ href, title }) => hit(`actions-${href}`, href, title, '', {}, w));
  return hits.length === 0 ? [] : [group('actions', hits, null, w)];
}
