import 'server-only';
import { readForeignPayments } from '#lib/recipients/foreign-payments.ts';
import { isOpenUnknown } from '#lib/payment-checks/history.ts';
import { readSavedPayees } from '#lib/recipients/saved-payee.ts';
import { databaseNow } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { IS_TRANSFER } from '#lib/movements/kind-sql.ts';
import type { TransferKindName } from '#lib/movements/kinds.ts';
import { foreignTo, ownTransfer, readTransferFee, RECENT_MAX, TRANSFER_FACTS } from './facts.ts';
import type { PayeeFacts, TransferRow } from './facts.ts';
import type { OwnTransfer } from './rules.ts';

type Payee = { toWallet: string | null; name: string | null };
export type FactsOfWallet = (payee: Payee) => PayeeFacts;

/**
 * What `readPayeeFacts` reads of one receiving wallet, for any number of them in a fixed number of
 * statements; a database test compares the two.
 */
export async function readTransferFactsOfMany(
  tx: Tx,
  payees: readonly Payee[],
  { kind, wallet }: { kind: TransferKindName; wallet: string | null },
): Promise<FactsOfWallet> {
  const wallets = distinct(payees.map(({ toWallet }) => toWallet));
  const recentOf = recentBy(await readTransfers(tx, wallets, payees));
  const saved = await readSavedPayees(tx, wallets);
  const foreign = await readForeignPayments(tx, wallets, 'wallet');
  const fee = await readTransferFee(tx, kind, wallet);
  const at = (await databaseNow(tx)).toISOString();
  return (payee) => ({
    recent: recentOf(payee),
    saved: saved.get(payee.toWallet ?? '') ?? null,
    foreign: foreignTo(payee.toWallet ?? '', foreign),
    fee,
    at,
  });
}

/** The latest transfers to each wallet and name, those of unknown outcome first. */
async function readTransfers(
  tx: Tx,
  wallets: readonly string[],
  payees: readonly Payee[],
): Promise<OwnTransfer[]> {
  const names = distinct(payees.map(({ name }) => (name ? foldForSearch(name) : null)));
  const rows = await tx.$queryRaw<TransferRow[]>`
    WITH found AS (
      SELECT m.*, m.to_wallet = ANY(${wallets}::text[]) AS by_wallet,
        m.name_fold = ANY(${names}::text[]) AS by_name
      FROM movements m WHERE ${IS_TRANSFER} AND (m.to_wallet = ANY(${wallets}::text[])
        OR m.name_fold = ANY(${names}::text[]))),
    numbered AS (
      SELECT f.*, row_number() OVER (PARTITION BY to_wallet ORDER BY state IN ('SUBMITTING', 'UNKNOWN')
          DESC, created_at DESC) AS nth_of_wallet,
        row_number() OVER (PARTITION BY name_fold ORDER BY state IN ('SUBMITTING', 'UNKNOWN')
          DESC, created_at DESC) AS nth_of_name
      FROM found f)
    SELECT ${TRANSFER_FACTS} FROM numbered m JOIN people p ON p.id = m.maker_id
    WHERE (m.by_wallet AND m.nth_of_wallet <= ${RECENT_MAX})
      OR (m.by_name AND m.nth_of_name <= ${RECENT_MAX})`;
  return rows.map(ownTransfer);
}

/** The transfers to a payee, in the order and to the number that one question has. */
function recentBy(transfers: readonly OwnTransfer[]): (payee: Payee) => OwnTransfer[] {
  const byWallet = Map.groupBy(transfers, ({ toWallet }) => toWallet);
  const byName = Map.groupBy(transfers, ({ name }) => foldForSearch(name));
  return ({ toWallet, name }) => {
    const found = new Set([
      ...((toWallet !== null && byWallet.get(toWallet)) || []),
      ...((name && byName.get(foldForSearch(name))) || []),
    ]);
    return [...found]
      .sort(
        (a, b) =>
          Number(isOpenUnknown(b)) - Number(isOpenUnknown(a)) ||
          Date.parse(b.createdAt) - Date.parse(a.createdAt),
      )
      .slice(0, RECENT_MAX);
  };
}

function distinct(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.filter((text) => text !== null))];
}
