import { isAbout, isMet, isOverLimit, NOTHING, signatureOf, total } from './asked.ts';
import type { Asked } from './asked.ts';
import type { Governance, PersonName } from './governance.ts';
import type { Row } from './store.ts';

/**
 * What the policy of a moment asks of all rows of a file together, counted for the judges from the
 * rules in words: of the sum as one payment, of each row beside all others, and of the maker's own
 * limits. It shares no code with the product.
 */

/** `rows`: those of the file as movements; `others`: every row of the database at `now`. */
export function batchAsked(
  rows: readonly Row[],
  { policy, limits }: Governance,
  others: readonly Row[],
  now: number,
): Asked {
  const [first] = rows;
  if (first === undefined) return NOTHING;
  const sum = { ...first, amountMinor: total(rows) };
  let people = 0;
  let ownersOnly = false;
  for (const rule of policy?.rules ?? []) {
    const about = rows.filter((row) => isAbout(rule, row));
    const isOfSum = rule.when === 'amount' || rule.when === 'maker_day';
    const isAsked =
      about.some((row) =>
        isMet(rule, row, [...others, ...rows.filter((one) => one.id !== row.id)], now),
      ) ||
      (isOfSum && about.some(({ kind }) => isMet(rule, { ...sum, kind }, others, now)));
    if (!isAsked) continue;
    people = Math.max(people, rule.approvals);
    ownersOnly ||= rule.who === 'owner';
  }
  const largest = rows.toSorted((a, b) => (a.amountMinor > b.amountMinor ? -1 : 1))[0]!;
  const rest = rows.filter((row) => row !== largest);
  if (isOverLimit(largest, limits[largest.makerId as PersonName], [...others, ...rest]))
    people = Math.min(2, people + 1);
  return { people, ownersOnly, signed: people > 0 ? signatureOf(sum, policy) : 'none' };
}
