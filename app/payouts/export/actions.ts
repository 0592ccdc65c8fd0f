'use server';

import { requestExport } from '#app/reports/exports/request.ts';
import type { Said } from '#components/action-button.tsx';
import { payoutListAddress, readPayoutQuery } from '#lib/payouts/filter.ts';
import { payoutFrame } from './frame.ts';

/** Queues an export of the payouts in a list's address, and redirects to the exports. */
export async function exportPayouts(_before: Said, form: FormData): Promise<Said> {
  return requestExport('payouts', form, async (actor, { params }) => {
    const { filter } = readPayoutQuery(params);
    return { filter: payoutListAddress(filter), frame: await payoutFrame(actor, filter) };
  });
}
