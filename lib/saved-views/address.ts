import { periodDays } from '#lib/values/dates.ts';

/**
 * Which part of a list's address a saved view stores, and how to open it again. Days that match a
 * named period ("the last thirty days") are stored as its name and move along; other days are
 * stored unchanged. Pure.
 */

/** The named periods, in the order in which a person chooses between several that fit. */
export const PERIODS = [
  'today',
  'yesterday',
  'last7',
  'last30',
  'thisWeek',
  'thisMonth',
  'lastMonth',
] as const;
export type PeriodName = (typeof PERIODS)[number];

export const NAME_MAX = 40;
export const ADDRESS_MAX = 1_000;
/**
 * The parameters of an address that a saved view does not store: the position in a list, and what
 * is open beside it.
 */
const PLACE = ['after', 'before', 'page', 'with', 'period', 'notice'];

/** The normalized search part of an address: sorted, without a position. */
export function viewKey(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of PLACE) params.delete(name);
  for (const [name, value] of [...params]) if (value === '') params.delete(name);
  params.sort();
  return params.toString();
}

/**
 * The named periods that match the address's days today, in the order of `PERIODS`. On some days
 * several match: a Monday is "today" and "this week". `now` is an ISO instant, passed in.
 */
export function periodsOf(search: string, now: string, zone?: string): PeriodName[] {
  const params = new URLSearchParams(search);
  return PERIODS.filter((kind) => {
    const { from, to } = periodDays({ kind }, now, zone);
    return params.get('from') === from && params.get('to') === to;
  });
}

/**
 * The stored form of an address. `chosen`: the named period that a person has chosen to store in
 * place of the days. The days are stored when they do not match it.
 */
export function keptAddress(search: string, chosen: string, now: string, zone?: string): string {
  const params = new URLSearchParams(viewKey(search));
  const period = periodsOf(search, now, zone).find((kind) => kind === chosen);
  if (period !== undefined) {
    params.delete('from');
    params.delete('to');
    params.set('period', period);
  }
  return params.toString();
}

/** The search part of a stored address as of today. */
export function openedAddress(kept: string, now: string, zone?: string): string {
  const params = new URLSearchParams(kept);
  const period = PERIODS.find((kind) => kind === params.get('period'));
  params.delete('period');
  if (period !== undefined)
    for (const [name, day] of Object.entries(periodDays({ kind: period }, now, zone)))
      params.set(name, day);
  return viewKey(params.toString());
}
