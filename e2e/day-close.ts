import type { Page } from '@playwright/test';
import { monthOf } from './calendar.ts';

/**
 * The address of a month in which days can be closed: of the first two days of a month none or one
 * has ended.
 */
export function monthToClose(wallet: string): string {
  return `/reports/day-close?wallet=${wallet}&month=${monthOf(2)}`;
}

/**
 * Opens that month, and before it the present one: a first opening balance is counted back from a
 * balance of today, for which today's records have to be read.
 */
export async function openMonthToClose(page: Page, wallet: string): Promise<void> {
  await page.goto(`/reports/day-close?wallet=${wallet}`);
  await page.goto(monthToClose(wallet));
}
