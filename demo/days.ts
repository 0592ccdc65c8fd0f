/** The provider's records of the history's days, compared with ours, and the days that are closed. */
import { addDays, dayIn } from '#lib/values/dates.ts';
import { merchantId } from '#lib/access/merchant.ts';
import type { DayRange } from '#lib/values/dates.ts';
import { wantDays } from '#lib/provider-records/coverage.ts';
import type { RecordList } from '#lib/provider-records/list.ts';
import { dayReader } from '#lib/provider-records/read-days.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import { closeDays } from '#lib/reports/day-close/close.ts';
import { keepBalances } from '#lib/reports/day-close/keep-balances.ts';
import { acknowledgeDifference, RECORDED } from '#lib/reports/reconciliation/acknowledge.ts';
import { compareOneDay } from '#lib/reports/reconciliation/compare-day.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { Desk } from './desk.ts';
import { MAIN_WALLET } from './payouts.ts';

/** The length of the history. */
export const DAYS = 90;
const [FIRST_CLOSED, LAST_CLOSED] = [7, 3];
/** Differences of this many days ago and older have been looked at. */
const LOOKED_AT = 7;

type Lists = Pick<WalletClient, 'listTransactions' | 'listWithdrawals'>;

/**
 * Reads these days of a list, the newest first. The worker reads a month without a request, and
 * these may be more.
 */
export async function readDays(
  merchant: string,
  list: RecordList,
  wallet: Lists,
  { from, to }: DayRange,
): Promise<void> {
  await wantDays(merchant, list, { from, to });
  const readDay = dayReader(merchant, list, wallet);
  for (let day = to; day >= from; day = addDays(day, -1)) await readDay();
}

/** What the worker would read and compare in its first minutes, of all days of the history. */
export async function readRecords(): Promise<void> {
  const wallet = walletClient();
  await keepBalances(merchantId(), wallet);
  const to = today();
  for (const list of ['ledger', 'withdrawals'] as const)
    await readDays(merchantId(), list, wallet, { from: addDays(to, -DAYS), to });
  while (await compareOneDay(merchantId()));
}

/** Closes five days of the main wallet, once the provider's records are read. */
export async function closeLastDays(desk: Desk): Promise<void> {
  const of = { wallet: MAIN_WALLET, currency: 'TRY' };
  for (const back of [FIRST_CLOSED, LAST_CLOSED])
    await closeDays(desk.person('approver'), of, addDays(today(), -back), '');
}

/** A person has looked at the older differences: money that was moved at the provider's panel. */
export async function acknowledgeOlderDifferences(desk: Desk): Promise<void> {
  const until = addDays(today(), -LOOKED_AT);
  const older = await inTransaction(
    merchantId(),
    (tx) => tx.$queryRaw<{ id: string; recorded: string }[]>`
      SELECT id, ${RECORDED} AS recorded FROM differences d
      WHERE state = 'OPEN' AND day <= ${until}::date ORDER BY day, id`,
  );
  const reason = 'Şube müdürü sağlayıcının panelinden aktardı, dekontu dosyada';
  for (const { id, recorded } of older)
    await acknowledgeDifference(desk.person('approver'), id, recorded, reason);
}

function today(): string {
  return dayIn(new Date().toISOString(), env().timeZone);
}
