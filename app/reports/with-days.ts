import { reportDays } from '#lib/reports/filter.ts';
import { readDay } from '#lib/values/typed-day.ts';
import { PATH as TRANSACTIONS } from './transactions/path.ts';
import { PATH as WITHDRAWALS } from './withdrawals/path.ts';

/**
 * The address of a report with its range of days, which is always explicit, so that a kept address
 * shows the same days again; null when it has them already or is no report. What is no day counts as
 * missing: a form without scripts sends its empty fields. `now` is an ISO instant from outside.
 */
export function withDays(asked: URL, now: string, zone: string): URL | null {
  const { pathname, searchParams } = asked;
  if (pathname !== TRANSACTIONS && pathname !== WITHDRAWALS) return null;
  const read = (name: string): string | null => readDay(searchParams.get(name) ?? '');
  const [from, to] = [read('from'), read('to')];
  if (from !== null && to !== null) return null;
  const whole = new URL(asked);
  whole.search = new URLSearchParams({
    ...reportDays(from, to, now, zone),
    ...Object.fromEntries([...searchParams].filter(([name]) => !/^(?:from|to)$/.test(name))),
  }).toString();
  return whole;
}
