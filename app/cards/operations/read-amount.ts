import type { Locale } from '#lib/values/locale.ts';
import { parseAmount } from '#lib/values/money.ts';
import type { AmountError } from '#lib/values/money.ts';

/** `problem`: why the text cannot be sent as an amount; null when `minor` can. */
export type ReadAmount =
  | { minor: bigint; problem: null }
  | { minor: null; problem: AmountError | 'ambiguous' | 'more'; readings?: readonly bigint[] };

/**
 * Parses an amount by the rules of the payout form: when a text is ambiguous, the person chooses;
 * it is never guessed. `leftMinor` null: not known yet.
 */
export function readAmount(
  typed: string,
  locale: Locale,
  currency: string,
  leftMinor: bigint | null,
): ReadAmount {
  const parsed = parseAmount(typed, locale, currency);
  if (parsed.kind === 'ambiguous')
    return { minor: null, problem: 'ambiguous', readings: parsed.readings };
  if (parsed.kind === 'error') return { minor: null, problem: parsed.code };
  return leftMinor !== null && parsed.minor > leftMinor
    ? { minor: null, problem: 'more' }
    : { minor: parsed.minor, problem: null };
}
