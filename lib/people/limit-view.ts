import type { OwnLimit } from '#lib/policy/limits.ts';
import { toDecimal } from '#lib/values/money.ts';

/** A person's limit as a page shows it: decimal text, null where there is none. Pure. */
export type LimitView = { currency: string; single: string | null; day: string | null };

export function limitView({ currency, singleMinor, dayMinor }: OwnLimit): LimitView {
  return {
    currency,
    single: singleMinor === null ? null : toDecimal(singleMinor),
    day: dayMinor === null ? null : toDecimal(dayMinor),
  };
}
