import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import { foldForSearch } from '#lib/values/turkish.ts';

/** Which payees of a batch have been paid before, as the policy asks of a single payment. */

export type Payee = { iban: string; name: string };

export type KnownPayees = {
  /** The payee has never received a completed payment that stayed there. */
  isFirst: (payee: Payee) => boolean;
  /** It has not, and the same name has, on another account. */
  isChanged: (payee: Payee) => boolean;
};

/** In two statements, whatever the number of rows. */
export async function readPayees(tx: Tx, payees: readonly Payee[]): Promise<KnownPayees> {
  const ibans = [...new Set(payees.map(({ iban }) => iban))];
  const folds = [...new Set(payees.map(({ name }) => foldForSearch(name)))];
  const paid = await tx.$queryRaw<{ iban: string }[]>`
    SELECT i.iban FROM unnest(${ibans}::text[]) AS i (iban)
    WHERE EXISTS (SELECT FROM movements m WHERE m.iban = i.iban AND m.to_wallet IS NULL
      AND m.state = 'COMPLETED' AND m.returned = 'NONE')`;
  const names = await tx.$queryRaw<{ fold: string }[]>`
    SELECT n.fold FROM unnest(${folds}::text[]) AS n (fold)
    WHERE EXISTS (SELECT FROM movements m WHERE m.name_fold = n.fold AND m.state = 'COMPLETED'
      AND m.returned = 'NONE' AND m.card_payment_id IS NULL AND m.iban <> '')`;
  const paidIbans = new Set(paid.map(({ iban }) => iban));
  const paidNames = new Set(names.map(({ fold }) => fold));
  const isFirst = ({ iban }: Payee): boolean => !paidIbans.has(iban);
  return {
    isFirst,
    isChanged: (payee) => isFirst(payee) && paidNames.has(foldForSearch(payee.name)),
  };
}
