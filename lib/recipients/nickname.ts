import { Refusal } from '#lib/access/refusal.ts';
import { foldForSearch } from '#lib/values/turkish.ts';

/** The short name of a saved recipient, by which people and payout files name it. Pure. */

export const NICKNAME_MAX = 40;

/** Null for an empty field. @throws Refusal nickname_long */
export function readNickname(typed: string): string | null {
  const nickname = typed
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (nickname.length > NICKNAME_MAX) throw new Refusal('nickname_long', { max: NICKNAME_MAX });
  // What folds to nothing names nobody.
  return foldForSearch(nickname) === '' ? null : nickname;
}
