import type { ViewList } from '#lib/saved-views/lists.ts';

/**
 * The columns of a list that a person may hide. The columns with the payee, the amount, the time
 * and the outcome cannot be hidden. Pure.
 */
export const OPTIONAL_COLUMNS = {
  payouts: ['iban', 'wallet'],
  transactions: ['about', 'wallet'],
  withdrawals: ['wallet', 'ours'],
  card_payments: ['card', 'verified'],
} as const satisfies Partial<Record<ViewList, readonly string[]>>;

export type ColumnList = keyof typeof OPTIONAL_COLUMNS;
export type ColumnOf<List extends ColumnList> = (typeof OPTIONAL_COLUMNS)[List][number];

export function isColumnList(name: string): name is ColumnList {
  return Object.hasOwn(OPTIONAL_COLUMNS, name);
}

/** The names that are optional columns of this list, each once and in their order. */
export function knownColumns<List extends ColumnList>(
  list: List,
  names: readonly string[],
): ColumnOf<List>[] {
  const all: readonly ColumnOf<List>[] = OPTIONAL_COLUMNS[list];
  return all.filter((column) => names.includes(column));
}
