import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { payeeNumber } from '../row-content.ts';
import type { RowContent } from '../row-content.ts';

/** Which payees of a batch have been paid before, as the policy asks of a single payment. */

export type Payee = Pick<RowContent, 'iban' | 'name' | 'person'>;

export type KnownPayees = {
  /** The payee has never received a completed payment that stayed there. */
  isFirst: (payee: Payee) => boolean;
  /** It has not, and the same name has, on another account. */
  isChanged: (payee: Payee) => boolean;
};

/** In two statements, whatever the number of rows. */
export async function readPayees(tx: Tx, payees: readonly Payee[]): Promise<KnownPayees> {
  const numbers = [...new Set(payees.map(payeeNumber))];
  const folds = [...new Set(payees.map(({ name }) => foldForSearch(name)))];
  const paid = await tx.$queryRaw<{ number: string; to_wallet: boolean }[]>`
    SELECT i.number, w.to_wallet FROM unnest(${numbers}::text[]) AS i (number)
      CROSS JOIN (VALUES (true), (false)) AS w (to_wallet)
    WHERE CASE WHEN w.to_wallet
      THEN EXISTS (SELECT FROM movements m WHERE m.to_wallet = i.number AND m.iban = ''
        AND m.state = 'COMPLETED' AND m.returned = 'NONE')
      ELSE EXISTS (SELECT FROM movements m WHERE m.iban = i.number AND m.to_wallet IS NULL
        AND m.state = 'COMPLETED' AND m.returned = 'NONE') END`;
  const names = await tx.$queryRaw<{ fold: string; to_wallet: boolean }[]>`
    SELECT DISTINCT n.fold, m.iban = '' AS to_wallet FROM unnest(${folds}::text[]) AS n (fold)
      JOIN movements m ON m.name_fold = n.fold AND m.state = 'COMPLETED' AND m.returned = 'NONE'
        AND m.card_payment_id IS NULL`;
  const paidNumbers = new Set(paid.map((one) => `${one.to_wallet} ${one.number}`));
  const paidNames = new Set(names.map((one) => `${one.to_wallet} ${one.fold}`));
  const isToWallet = ({ person }: Payee): boolean => person !== undefined;
  const isFirst = (payee: Payee): boolean =>
    !paidNumbers.has(`${isToWallet(payee)} ${payeeNumber(payee)}`);
  return {
    isFirst,
    isChanged: (payee) =>
      isFirst(payee) && paidNames.has(`${isToWallet(payee)} ${foldForSearch(payee.name)}`),
  };
}
