'use server';

import { redirect } from 'next/navigation';
import { getTimeZone } from 'next-intl/server';
import { saidOf } from '#app/said.ts';
import type { Said } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { dayIn } from '#lib/values/dates.ts';
import { askForExport } from '#lib/exports/ask.ts';
import { PROFILES } from '#lib/exports/profile.ts';
import { payoutListAddress, readPayoutQuery } from '#lib/payouts/filter.ts';
import { payoutFrame } from './frame.ts';

/** Queues an export of the payouts in a list's address, and redirects to the exports. */
export async function exportPayouts(_before: Said, form: FormData): Promise<Said> {
  const asked = await moneyAction(async (actor) => {
    const { filter } = readPayoutQuery(
      Object.fromEntries(new URLSearchParams(String(form.get('filter') ?? ''))),
    );
    const profile = PROFILES.find((known) => known === form.get('profile')) ?? 'xlsx';
    const frame = await payoutFrame(
      actor,
      filter,
      dayIn(new Date().toISOString(), await getTimeZone()),
    );
    return askForExport(actor, {
      source: 'payouts',
      profile,
      filter: payoutListAddress(filter),
      frame,
    });
  });
  return typeof asked === 'string' ? redirect(`/reports/exports#${asked}`) : saidOf(asked);
}
