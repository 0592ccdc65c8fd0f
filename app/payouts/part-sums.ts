import type { ListSum } from '#components/list-sums.tsx';
import { PAYOUT_PARTS } from '#lib/payouts/filter.ts';
import type { PayoutFilter, PayoutPart } from '#lib/payouts/filter.ts';
import type { PayoutTotal } from '#lib/payouts/totals.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

/** The parts that occur in a list of payouts or transfers, each with a link to its own rows. */
export function partSums(
  totals: readonly PayoutTotal[],
  filter: PayoutFilter,
  {
    locale,
    label,
    address,
  }: {
    locale: Locale;
    label: (part: PayoutPart) => string;
    address: (filter: PayoutFilter) => string;
  },
): ListSum[] {
  return PAYOUT_PARTS.flatMap((part) => {
    const own = totals.filter((total) => total.part === part);
    if (own.length === 0) return [];
    return {
      label: label(part),
      href: filter.part === part ? null : address({ ...filter, part }),
      sums: own.map(({ sum, currency }) => formatMoney(sum, currency, locale)),
    };
  });
}
