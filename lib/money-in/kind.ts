import { foldForSearch } from '#lib/values/turkish.ts';
import type { FailedTopUpReason } from '#lib/providers/wallet/codes.ts';

/**
 * The kinds of failed top-ups. Failures that match no rule are `other`, and their text is shown as
 * it came. Pure.
 */

export const FAILED_TOP_UP_KINDS = [
  'no_such_wallet',
  'limit',
  'level_limit',
  'repeated',
  'other',
] as const;
export type FailedTopUpKind = (typeof FAILED_TOP_UP_KINDS)[number];

/**
 * One code covers every limit (`published`); that the message mentions the level when the level's
 * limit is the cause is `assumed`.
 */
const ABOUT_A_LEVEL = /\b(?:kyc|seviye\w*|level)\b/;

export function kindOf(reason: FailedTopUpReason, message: string | null): FailedTopUpKind {
  return reason === 'limit' && ABOUT_A_LEVEL.test(foldForSearch(message ?? ''))
    ? 'level_limit'
    : reason;
}
