import type { WaitingMovement } from '#lib/approvals/list.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

type Reason = WaitingMovement['reasons'][number];
type Key = `because.${Reason['when']}` | `people.${Reason['who']}`;

/**
 * Why a movement waits: the rule or the limit that applied, from which amount on, and whom it asks.
 * `t`: of the namespace "policy".
 */
export function reasonSentence(
  t: (key: Key, values: Record<string, string | number>) => string,
  { when, from, currency, approvals, who }: Reason,
  locale: Locale,
): string {
  return t(`because.${when}`, {
    amount: formatMoney(from, currency, locale),
    people: t(`people.${who}`, { count: approvals }),
  });
}
