'use server';

import { requestExport } from '#app/reports/exports/request.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { payoutListAddress, readPayoutQuery } from '#lib/payouts/filter.ts';
import { payoutFrame } from './frame.ts';

/** Queues an export of the payouts in a list's address, and redirects to the exports. */
export async function exportPayouts(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return requestExport('payouts', form, async (actor, { params }) => {
    const { filter } = readPayoutQuery(params);
    return { filter: payoutListAddress(filter), frame: await payoutFrame(actor, filter) };
  });
}
