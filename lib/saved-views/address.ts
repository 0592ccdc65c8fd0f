import { periodDays } from '#lib/values/dates.ts';

/**
 * Which part of a list's address a saved view stores, and how to open it again. Days that match a
 * named period ("the last thirty days") are stored as its name and move along; other days are
 * stored unchanged. Pure.
 */

const PERIODS = [
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
 * The named period that matches the address's days today, if any. `now` is an ISO instant, passed
 * in.
 */
export function periodOf(search: string, now: string, zone?: string): PeriodName | null {
  const params = new URLSearchParams(search);
  return (
    PERIODS.find((kind) => {
      const { from, to } = periodDays({ kind }, now, zone);
      return params.get('from') === from && params.get('to') === to;
    }) ?? null
  );
}

/** The stored form of an address. `moving`: a named period moves along. */
export function keptAddress(search: string, moving: boolean, now: string, zone?: string): string {
  const params = new URLSearchParams(viewKey(search));
  const period = moving ? periodOf(search, now, zone) : null;
  if (period !== null) {
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
