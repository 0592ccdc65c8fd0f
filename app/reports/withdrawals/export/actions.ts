'use server';

import { requestExport } from '#app/reports/exports/request.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { addressOf } from '#lib/values/keyset.ts';
import { readWithdrawalQuery, withdrawalParams } from '#lib/reports/withdrawals/filter.ts';
import { withdrawalFrame } from './frame.ts';

/**
 * Queues an export of the withdraw requests in a report's address, and redirects to the exports.
 */
export async function exportWithdrawals(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return requestExport('withdrawals', form, async (actor, { params, now, locale, zone }) => {
    const { filter } = readWithdrawalQuery(params, now, locale, zone);
    return {
      filter: addressOf(withdrawalParams(filter)),
      frame: await withdrawalFrame(actor, filter),
    };
  });
}
