import 'server-only';
import { createHash } from 'node:crypto';
import { tickKey } from './check-rows.ts';
import type { CheckedRow, RowFinding } from './check-rows.ts';
import type { Ticks } from './stored.ts';

/**
 * Warnings of one kind that a person confirms in all rows at once, with one reason. Pure.
 */

/**
 * The kinds that have one answer for a whole file, such as "the second salary of this month". A
 * warning about another account, or about a payment whose outcome is unknown, is a check of its own
 * in each row.
 */
export const KINDS_TOGETHER = [
  'row_repeated',
  'row_repeated_other_iban',
  'row_nearly_repeated',
  'duplicate',
  'duplicate_other_iban',
  'duplicate_invoice',
  'near_duplicate',
  'last_returned',
  'fee_may_not_fit',
  'limit_left_exceeded',
] as const satisfies readonly RowFinding['code'][];
export type KindTogether = (typeof KINDS_TOGETHER)[number];

/**
 * `keys`: the unticked warnings by the key of their row. `seen`: identifies exactly these, so that a
 * press confirms what its page showed and nothing else.
 */
export type WarningKind = {
  code: KindTogether;
  rows: number;
  keys: ReadonlyMap<string, readonly string[]>;
  seen: string;
};

/** The kinds that more than one row waits for. */
export function kindsToTick(rows: readonly CheckedRow[]): WarningKind[] {
  return KINDS_TOGETHER.flatMap((code) => {
    const keys = new Map(
      rows.flatMap((row) => {
        const waiting = row.isOut
          ? []
          : row.findings.filter((one) => one.code === code).map(tickKey);
        const unticked = waiting.filter((key) => row.unticked.includes(key));
        return unticked.length === 0 ? [] : [[row.key, unticked] as const];
      }),
    );
    if (keys.size < 2) return [];
    const seen = createHash('sha256')
      .update(JSON.stringify([code, ...keys]))
      .digest('hex');
    return [{ code, rows: keys.size, keys, seen }];
  });
}

/** The most warnings of one row. */
const KEYS_MAX = 20;

/**
 * The ticks of a row with further ones. What was confirmed before stays; of two reasons both are
 * kept, as far as a reason is long.
 */
export function tickedToo(
  before: Ticks[string] | undefined,
  { keys, reason }: Ticks[string],
  reasonMax: number,
): Ticks[string] {
  const reasons = [...new Set([...(before === undefined ? [] : [before.reason]), reason])];
  return {
    keys: [...new Set([...(before?.keys ?? []), ...keys])].slice(-KEYS_MAX),
    reason: Array.from(reasons.join(' · ')).slice(0, reasonMax).join(''),
  };
}
