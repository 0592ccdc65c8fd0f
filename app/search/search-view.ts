import { formatAmount, formatMoney } from '#lib/values/money.ts';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { askProvider, PROVIDER_DAYS } from '#lib/search/ask-provider.ts';
import { findHere } from '#lib/search/find.ts';
import { tidyText, understand } from '#lib/readings/understand.ts';
import type { Reading } from '#lib/readings/understand.ts';
import { groupsOf } from './found-groups.ts';
import { actionsFor } from './search-actions.ts';
import { group, ledgerHit, walletHit, withdrawalHit, writing } from './shown-hits.ts';
import type { ShownGroup, Writing } from './shown-hits.ts';

/** What a search shows, both on its own page and in the dialog over another page. */
export type SearchView = {
  text: string;
  /** How the text was understood, or why it was not searched; empty for an empty box. */
  message: string;
  note: string;
  groups: ShownGroup[];
  /** True when the provider may know more; it is queried only when a person presses the button. */
  canAsk: boolean;
  /** How many rows were found, companions of others not counted. */
  count: number;
};

/** Searches our own records. */
export async function viewSearch(person: Person, typed: string): Promise<SearchView> {
  const w = await writing();
  const understood = understand(typed);
  const text = understood.kind === 'card' ? '' : tidyText(typed);
  const nothing: SearchView = { text, message: '', note: '', groups: [], canAsk: false, count: 0 };
  const actions = await actionsFor(person, text, w);
  if (understood.kind === 'nothing') return { ...nothing, groups: actions };
  if (understood.kind === 'card') return { ...nothing, message: w.t('card') };
  const { readings } = understood;
  if (readings.length === 0) return { ...nothing, message: w.t('notUnderstood'), groups: actions };
  const found = await groupsOf(await findHere(person, readings), readings, text, w);
  const hidden =
    !may(person.role, 'payee.read') && readings.some((one) => one.kind === 'iban_start');
  return {
    ...nothing,
    message: messageOf(readings, w),
    note: hidden ? w.t('ibanWhole') : '',
    groups: [...found, ...actions],
    canAsk: readings.some((one) =>
      ['iban', 'reference', 'number', 'wallet', 'amount'].includes(one.kind),
    ),
    count: found.reduce((all, group) => all + group.hits.filter((hit) => !hit.under).length, 0),
  };
}

/** Searches the provider's records; the ids of its rows begin with "provider-". */
export async function viewProviderSearch(
  person: Person,
  typed: string,
): Promise<Pick<SearchView, 'message' | 'groups'>> {
  const w = await writing();
  const understood = understand(typed);
  const response =
    understood.kind === 'readings'
      ? await askProvider(person, understood.readings)
      : { kind: 'cannot' as const };
  if (response.kind === 'cannot') return { message: w.t('providerCannot'), groups: [] };
  const groups = [
    group(
      'providerWithdrawals',
      response.withdrawals.map((one) => withdrawalHit(one, null, w)),
      null,
      w,
    ),
    group(
      'providerLedger',
      response.ledger.map((one) => ledgerHit(one, null, w)),
      null,
      w,
    ),
    group(
      'providerWallets',
      response.wallets.map((one) => walletHit(one, w)),
      null,
      w,
    ),
  ].filter((one) => one.hits.length > 0);
  const message = response.silent
    ? w.t('providerSilent')
    : groups.length === 0
      ? w.t('providerNone', { days: PROVIDER_DAYS })
      : w.t('providerRange', { days: PROVIDER_DAYS });
  return {
    message,
    groups: groups.map((one) => ({
      ...one,
      hits: one.hits.map((hit) => ({ ...hit, id: `provider-${hit.id}` })),
    })),
  };
}

function messageOf(readings: readonly Reading[], { t, locale }: Writing): string {
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
