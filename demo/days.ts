/** The provider's records of the last weeks, compared with ours, and the days that are closed. */
import { addDays, dayIn, monthDays } from '#lib/values/dates.ts';
import { merchantId } from '#lib/access/merchant.ts';
import type { DayRange } from '#lib/values/dates.ts';
import { wantDays } from '#lib/provider-records/coverage.ts';
import { WINDOW_DAYS } from '#lib/provider-records/policy.ts';
import { dayReader } from '#lib/provider-records/read-days.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import { closeDays } from '#lib/reports/day-close/close.ts';
import { keepBalances } from '#lib/reports/day-close/keep-balances.ts';
import { compareOneDay } from '#lib/reports/reconciliation/compare-day.ts';
import { env } from '#lib/runtime/env.ts';
import type { Desk } from './desk.ts';
import { MAIN_WALLET } from './payouts.ts';

const [FIRST_CLOSED, LAST_CLOSED] = [7, 3];

type Lists = Pick<WalletClient, 'listTransactions' | 'listWithdrawals'>;

/**
 * Reads the ledger of these days, the newest first. The worker reads a month without a request, and
 * these may be more.
 */
export async function readLedger(
  merchant: string,
  wallet: Lists,
  { from, to }: DayRange,
): Promise<void> {
  await wantDays(merchant, 'ledger', { from, to });
  const readDay = dayReader(merchant, 'ledger', wallet);
  for (let day = to; day >= from; day = addDays(day, -1)) await readDay();
}

/** What the worker would read and compare in its first minutes, and the days to be closed. */
export async function readRecords(): Promise<void> {
  const wallet = walletClient();
  await keepBalances(merchantId(), wallet);
  const to = today();
  // The opening of a day is counted from the day before its month.
  const from = addDays(monthDays(addDays(to, -FIRST_CLOSED)).from, -1);
  await readLedger(merchantId(), wallet, { from, to });
  for (const list of ['ledger', 'withdrawals'] as const) {
    const readDay = dayReader(merchantId(), list, wallet);
    for (let left = WINDOW_DAYS; left >= 0 && (await readDay()); left--);
  }
  while (await compareOneDay(merchantId()));
}

/** Closes five days of the main wallet, once the provider's records are read. */
export async function closeLastDays(desk: Desk): Promise<void> {
  const of = { wallet: MAIN_WALLET, currency: 'TRY' };
  for (const back of [FIRST_CLOSED, LAST_CLOSED])
    await closeDays(desk.person('approver'), of, addDays(today(), -back), '');
}

function today(): string {
  return dayIn(new Date().toISOString(), env().timeZone);
}
