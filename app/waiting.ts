import { navigationOf } from '#app/navigation.ts';
import type { WaitingName } from '#app/navigation.ts';
import type { Person } from '#lib/access/actor.ts';
import { countCardPaymentsNeedingAttention } from '#lib/cards/payments/list.ts';
import { countPlansNeedingAttention } from '#lib/cards/recurring/list.ts';
import { countOpenCases } from '#lib/money-in/cases.ts';
import { countNeedingAttention } from '#lib/payouts/list.ts';
import { countFailedReceipts } from '#lib/receipts/list.ts';
import { countOpenDifferences } from '#lib/reports/reconciliation/view.ts';

const COUNTS: Readonly<Record<WaitingName, (person: Person) => Promise<number>>> = {
  payouts: (person) => countNeedingAttention(person, 'payouts'),
  transfers: (person) => countNeedingAttention(person, 'transfers'),
  receipts: countFailedReceipts,
  cardPayments: countCardPaymentsNeedingAttention,
  recurring: countPlansNeedingAttention,
  failedTopUps: countOpenCases,
  reconciliation: countOpenDifferences,
};

/** How many things wait in each entry of this person's menu: the counts of the pages themselves. */
export async function countWaiting(person: Person): Promise<Partial<Record<WaitingName, number>>> {
  const names = navigationOf(person.role).flatMap(({ items }) =>
    items.flatMap(({ waiting }) => (waiting === undefined ? [] : [waiting])),
  );
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await COUNTS[name](person)] as const)),
  );
}
