'use server';

import { requestExport } from '#app/reports/exports/request.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { addressOf } from '#lib/values/keyset.ts';
import { readTransactionQuery, transactionParams } from '#lib/reports/transactions/filter.ts';
import { transactionFrame } from './frame.ts';

/** Queues an export of the transactions in a report's address, and redirects to the exports. */
export async function exportTransactions(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return requestExport('transactions', form, async (actor, { params, now, locale, zone }) => {
    const { filter } = readTransactionQuery(params, now, locale, zone);
    return {
      filter: addressOf(transactionParams(filter)),
      frame: await transactionFrame(actor, filter),
    };
  });
}
