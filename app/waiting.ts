import { navigationOf } from '#app/navigation.ts';
import type { WaitingName } from '#app/navigation.ts';
import type { Person } from '#lib/access/actor.ts';
import { countBatchesWaitingFor } from '#lib/batches/approval/list.ts';
import { countWaitingFor } from '#lib/approvals/list.ts';
import { countCardPaymentsNeedingAttention } from '#lib/cards/payments/list.ts';
import { countPlansNeedingAttention } from '#lib/cards/recurring/list.ts';
import { countOpenCases } from '#lib/money-in/cases.ts';
import { countUnreadNotifications } from '#lib/notifications/list.ts';
import { countNeedingAttention } from '#lib/payouts/list.ts';
import { countChangesToConfirm } from '#lib/people/waiting.ts';
import { countFailedReceipts } from '#lib/receipts/list.ts';
import { countOpenDifferences } from '#lib/reports/reconciliation/view.ts';
import { countToConfirm } from '#lib/waiting/list.ts';

const COUNTS: Readonly<Record<WaitingName, (person: Person) => Promise<number>>> = {
  payouts: (person) => countNeedingAttention(person, 'payouts'),
  transfers: (person) => countNeedingAttention(person, 'transfers'),
  approvals: async (person) => {
    const counts = [countWaitingFor(person), countBatchesWaitingFor(person)];
    return (await Promise.all(counts)).reduce((all, count) => all + count, 0);
  },
  receipts: countFailedReceipts,
  cardPayments: countCardPaymentsNeedingAttention,
  recurring: countPlansNeedingAttention,
  failedTopUps: countOpenCases,
  reconciliation: countOpenDifferences,
  people: countChangesToConfirm,
  secondPerson: countToConfirm,
};

/**
 * How many things wait in each entry of this person's menu: the counts of the pages themselves; and
 * the number on the bell.
 */
export async function countWaiting(
  person: Person,
): Promise<Partial<Record<WaitingName | 'notifications', number>>> {
  const names = navigationOf(person).flatMap(({ items }) =>
    items.flatMap(({ waiting }) => (waiting === undefined ? [] : [waiting])),
  );
  const [notifications, ...counts] = await Promise.all([
    countUnreadNotifications(person),
    ...names.map(async (name) => [name, await COUNTS[name](person)] as const),
  ]);
  return { ...Object.fromEntries(counts), notifications };
}
