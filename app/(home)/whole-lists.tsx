import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { listOf } from '#lib/movements/kinds.ts';
import type { ListName } from '#lib/movements/kinds.ts';
import type { WaitingGroup } from '#lib/movements/waiting.ts';
import type { Waiting } from '#lib/movement-views/overview.ts';
import { NO_FILTER, payoutListAddress } from '#lib/payouts/filter.ts';
import { CARD_BALANCE } from '#lib/payouts/schema.ts';

/** The list with exactly the movements that the home page counts; null where there is no list. */
export function waitingAddress(list: ListName, waits: WaitingGroup): string | null {
  const filter = { ...NO_FILTER, waits };
  switch (list) {
    case 'payouts':
      return `/payouts${payoutListAddress(filter)}`;
    case 'card_balance':
      return `/payouts${payoutListAddress({ ...filter, wallet: CARD_BALANCE })}`;
    case 'transfers':
      return `/transfers${payoutListAddress(filter)}`;
    case 'card_operations':
      return null;
  }
}

/** True when the home page does not show every movement of the group. */
export function isCut({ rows, lists }: Waiting): boolean {
  return lists.reduce((all, { count }) => all + count, 0) > rows.length;
}

/** For each list of which the home page does not show every movement: how many it has. */
export async function WholeLists({
  group: { rows, lists },
  waits,
}: {
  group: Waiting;
  waits: WaitingGroup;
}): Promise<ReactNode> {
  const t = await getTranslations('home.lists');
  const cut = lists.filter(
    ({ list, count }) => count > rows.filter(({ kind }) => listOf(kind) === list).length,
  );
  return (
    <span className="flex flex-wrap gap-x-3 text-label">
      {t('seeAll')}
      {cut.map(({ list, count }) => {
        const address = waitingAddress(list, waits);
        return address === null ? (
          <span key={list}>{t(list, { count })}</span>
        ) : (
          <Link key={list} href={address} className="font-medium text-accent hover:underline">
            {t(list, { count })}
          </Link>
        );
      })}
    </span>
  );
}
