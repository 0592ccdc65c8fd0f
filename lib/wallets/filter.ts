import * as z from 'zod';
import { addDays, dayIn } from '#lib/values/dates.ts';
import { readDay } from '#lib/values/typed-day.ts';

/**
 * The filter of a wallet's movements, read from the address. Invalid parameters are ignored. Pure.
 */

export const MOVEMENT_KINDS = ['top_up', 'payout', 'transfer'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/**
 * The provider's numbers (`published`): incoming money, bank payouts, transfers between wallets.
 */
export const KIND_TYPE_IDS: Readonly<Record<MovementKind, readonly number[]>> = {
  top_up: [1001, 1004],
  payout: [2002],
  transfer: [3003, 3004, 3006],
};

export const CHART_DAYS = [7, 30, 90] as const;
export type ChartDays = (typeof CHART_DAYS)[number];
export const CHART_USUAL: ChartDays = 30;

/**
 * The filter of a wallet's movements. Both days are included and always set, because without dates
 * the provider returns three days only (`contract`).
 */
export type WalletMovementFilter = {
  kind: MovementKind | null;
  from: string;
  to: string;
  /** How many days the chart above the movements shows. */ chart: ChartDays;
};
/** `index` counts pages from 0: the provider uses page numbers. */
export type WalletMovementQuery = { filter: WalletMovementFilter; index: number };

const DEFAULT_DAYS = 30;
const PAGE_MAX = 9_999;

const one = z.string().catch('');
const day = one.transform(readDay);
const chart = one.transform(
  (text): ChartDays => CHART_DAYS.find((days) => String(days) === text) ?? CHART_USUAL,
);
const address = z.object({
  kind: z.enum(MOVEMENT_KINDS).nullable().catch(null),
  from: day,
  to: day,
  chart,
  page: one.transform((text) =>
    /^[1-9]\d{0,3}$/.test(text) ? Math.min(Number(text), PAGE_MAX) : 1,
  ),
});

/** The number of days that the chart shows, read from the query string. */
export function readChart(params: Record<string, string | string[] | undefined>): ChartDays {
  return z.object({ chart }).parse(params).chart;
}

/**
 * `now` is an ISO instant, passed in. Without dates: the last thirty days. A single date reaches to
 * today, or back by thirty days.
 */
export function readWalletMovementQuery(
  params: Record<string, string | string[] | undefined>,
  now: string,
  zone?: string,
): WalletMovementQuery {
  const read = address.parse(params);
  const today = dayIn(now, zone);
  const to = read.to ?? (read.from !== null && read.from > today ? read.from : today);
  const from = read.from ?? addDays(to, 1 - DEFAULT_DAYS);
  const days = from > to ? { from: to, to: from } : { from, to };
  return { filter: { kind: read.kind, ...days, chart: read.chart }, index: read.page - 1 };
}

export function walletMovementParams(
  { kind, from, to, chart }: WalletMovementFilter,
  index = 0,
): Record<string, string | null> {
  return {
    kind,
    from,
    to,
    chart: chart === CHART_USUAL ? null : String(chart),
    page: index > 0 ? String(index + 1) : null,
  };
}
