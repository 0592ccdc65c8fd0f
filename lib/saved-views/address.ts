import { periodDays } from '#lib/values/dates.ts';

/**
 * What of a list's address is kept under a name, and how it is opened again. Days that are a span
 * people name ("the last thirty days") are kept as that name and move along; any other days are
 * kept as they are. Pure.
 */

const PERIODS = ['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth'] as const;
export type PeriodName = (typeof PERIODS)[number];

export const NAME_MAX = 40;
export const ADDRESS_MAX = 1_000;
/** Where in a list somebody is does not belong to what the list shows. */
const PLACE = ['after', 'before', 'page', 'with', 'period'];

/** The search part of an address in one form: in one order, without a place. */
export function viewKey(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of PLACE) params.delete(name);
  for (const [name, value] of [...params]) if (value === '') params.delete(name);
  params.sort();
  return params.toString();
}

/**
 * The span that the address's days are today, if people have a name for it. `now` is an ISO instant
 * from outside.
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

/** What is stored of an address. `moving`: named days move along. */
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

/** The search part that a stored address has today. */
export function openedAddress(kept: string, now: string, zone?: string): string {
  const params = new URLSearchParams(kept);
  const period = PERIODS.find((kind) => kind === params.get('period'));
  params.delete('period');
  if (period !== undefined)
    for (const [name, day] of Object.entries(periodDays({ kind: period }, now, zone)))
      params.set(name, day);
  return viewKey(params.toString());
}
