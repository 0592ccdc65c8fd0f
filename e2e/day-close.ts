import type { Page } from '@playwright/test';
import { monthOf } from './calendar.ts';

/**
 * The address of a month in which two days can be closed. A day can be closed some minutes after its
 * end, so the first three days of a month are too early.
 */
export function monthToClose(wallet: string): string {
  return `/reports/day-close?wallet=${wallet}&month=${monthOf(3)}`;
}

/**
 * Opens that month, and before it the present one: a first opening balance is counted back from a
 * balance of today, for which today's records have to be read.
 */
export async function openMonthToClose(page: Page, wallet: string): Promise<void> {
  await page.goto(`/reports/day-close?wallet=${wallet}`);
  await page.goto(monthToClose(wallet));
}
