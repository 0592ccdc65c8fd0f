import type { KindName } from '#lib/movements/kinds.ts';
import type { MovementContent } from '#lib/movements/content-text.ts';
import type { PayoutContent } from '#lib/payouts/schema.ts';

/** What a row of a batch pays, and which kind of movement it becomes. Pure. */

/**
 * The wallet of a person: `foundBy` is the search that found it, as `keyText` writes it, and
 * `foundName` the masked name that the provider returned.
 */
export type PersonPayee = Required<Pick<MovementContent, 'foundBy' | 'foundName'>> & {
  foundBy: string;
  toWallet: string;
};

/**
 * The content of a row without its identity and the wallet that pays. `person`: whom it pays instead
 * of an account of a bank; then IBAN and tax number are empty.
 */
export type RowContent = Omit<PayoutContent, 'id' | 'source' | 'phone'> & { person?: PersonPayee };

/** The kinds of movements that a row can become: to an account of a bank, and to a person's wallet. */
export const BANK_ROW = 'payout' satisfies KindName;
export const PERSON_ROW = 'transfer_person' satisfies KindName;
export type RowKind = typeof BANK_ROW | typeof PERSON_ROW;

export function rowKindOf({ person }: Pick<RowContent, 'person'>): RowKind {
  return person === undefined ? BANK_ROW : PERSON_ROW;
}

/** The payee of a row in the columns of a movement. */
export function payeeColumns({
  person,
}: Pick<RowContent, 'person'>): Pick<MovementContent, 'toWallet' | 'foundBy' | 'foundName'> {
  return person ?? { toWallet: null, foundBy: null, foundName: null };
}

/** The content of the movement that a row becomes. */
export function contentOfRow(
  { wallet, currency }: Pick<MovementContent, 'wallet' | 'currency'>,
  row: Omit<RowContent, 'amountMinor'> & { amountMinor: bigint },
): MovementContent {
  const { iban, name, taxNumber, amountMinor, paymentType, description } = row;
  const paid = { iban, name, taxNumber, amountMinor, paymentType, description };
  return { ...paid, wallet, currency, ...payeeColumns(row) };
}

/** The payee of a stored row; absent where it pays an account of a bank. */
export function personOf(row: {
  to_wallet: string | null;
  found_by: string | null;
  found_name: string | null;
}): Pick<RowContent, 'person'> {
  return row.to_wallet === null
    ? {}
    : {
        person: {
          toWallet: row.to_wallet,
          foundBy: row.found_by ?? '',
          foundName: row.found_name,
        },
      };
}

/** The account or wallet that a row pays: rows with the same one pay the same payee. */
export function payeeNumber({ iban, person }: Pick<RowContent, 'iban' | 'person'>): string {
  return person?.toWallet ?? iban;
}
