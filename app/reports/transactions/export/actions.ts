'use server';

import { redirect } from 'next/navigation';
import { getLocale, getTimeZone } from 'next-intl/server';
import { saidOf } from '#app/said.ts';
import type { Said } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { dayIn } from '#lib/values/dates.ts';
import { askForExport } from '#lib/exports/ask.ts';
import { PROFILES } from '#lib/exports/profile.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { readTransactionQuery, transactionParams } from '#lib/reports/transactions/filter.ts';
import { transactionFrame } from './frame.ts';

/** Queues an export of the transactions in a report's address, and redirects to the exports. */
export async function exportTransactions(_before: Said, form: FormData): Promise<Said> {
  const asked = await moneyAction(async (actor) => {
    const [now, locale, zone] = [
      new Date().toISOString(),
      (await getLocale()) as Locale,
      await getTimeZone(),
    ];
    const { filter } = readTransactionQuery(
      Object.fromEntries(new URLSearchParams(String(form.get('filter') ?? ''))),
      now,
      locale,
      zone,
    );
    const profile = PROFILES.find((known) => known === form.get('profile')) ?? 'xlsx';
    return askForExport(actor, {
      source: 'transactions',
      profile,
      filter: addressOf(transactionParams(filter)),
      frame: await transactionFrame(actor, filter, dayIn(now, zone)),
    });
  });
  return typeof asked === 'string' ? redirect(`/reports/exports#${asked}`) : saidOf(asked);
}
