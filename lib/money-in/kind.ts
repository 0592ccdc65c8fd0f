import { foldForSearch } from '#lib/values/turkish.ts';
import type { FailedTopUpReason } from '#lib/providers/wallet/codes.ts';

/**
 * Why money could not be loaded, as the desk tells it apart. What fits no rule is `other`: it is
 * shown as it came. Pure.
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
 * One code stands for every limit (`published`); that the message names the level where it is the
 * level's is `assumed`.
 */
const ABOUT_A_LEVEL = /\b(?:kyc|seviye\w*|level)\b/;

export function kindOf(reason: FailedTopUpReason, message: string | null): FailedTopUpKind {
  return reason === 'limit' && ABOUT_A_LEVEL.test(foldForSearch(message ?? ''))
    ? 'level_limit'
    : reason;
}
