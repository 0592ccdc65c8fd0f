import type { RowContent } from '../row-content.ts';

/** Pure: shared with the simulator. */

/**
 * Whether a row still pays whom people approved. `foundName`: the masked name that the provider
 * returns now; another one may be another person.
 */
export function isPersonAsApproved(
  { person }: Pick<RowContent, 'person'>,
  foundName: string | null,
): boolean {
  return foundName === (person?.foundName ?? null);
}
