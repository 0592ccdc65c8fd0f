import 'server-only';
import { SAYS_UNPAID } from '#lib/movements/state.ts';
import { mayBeLost } from '#lib/send-control/recovery/compare-journal.ts';
import type { OlderThan } from '#lib/send-control/recovery/compare-journal.ts';
import { OLDER_THAN } from '#lib/send-control/recovery/may-have-left.ts';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { databaseNow, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { IS_TRANSFER } from '#lib/movements/kind-sql.ts';
import type { TransferKindName } from '#lib/movements/kinds.ts';
import type { Alert, Returned, State } from '#lib/movements/state.ts';
import type { SavedPayee } from '#lib/payment-checks/findings.ts';
import { feeEstimate } from '#lib/payouts/rules.ts';
import type { FeeEstimate } from '#lib/payouts/rules.ts';
import { readSavedPayee } from '#lib/recipients/saved-payee.ts';
import { readForeignPayments } from '#lib/recipients/foreign-payments.ts';
import type { ForeignPart } from '#lib/recipients/foreign-payments.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import type { OwnTransfer, TransferFacts } from './rules.ts';

/** The most transfers to one payee that the rules look at. */
export const RECENT_MAX = 200;
const FEE_SAMPLES = 50;

/** The transfer to look up; fields may be missing while a person is typing. */
export type PayeeQuestion = {
  kind: TransferKindName;
  toWallet: string | null;
  name: string | null;
  wallet: string | null;
};

/** Our own data about a receiving wallet. `at` is the database's now. */
export type PayeeFacts = {
  recent: OwnTransfer[];
  saved: SavedPayee | null;
  foreign: TransferFacts['foreign'][number][];
  fee: FeeEstimate | null;
  at: string;
};

/**
 * Reads our own data about a receiving wallet, for the form's live summary. The submitting verb
 * calls `readPayeeFacts` inside its own transaction.
 */
export async function payeeFacts(actor: Person, question: PayeeQuestion): Promise<PayeeFacts> {
  assertMay(actor, 'payout.prepare');
  return inTransaction(actor.merchantId, (tx) => readPayeeFacts(tx, question));
}

export async function readPayeeFacts(
  tx: Tx,
  { kind, toWallet, name, wallet }: PayeeQuestion,
): Promise<PayeeFacts> {
  const nameFold = name === null || name === '' ? null : foldForSearch(name);
  // All three transfer kinds, without a row limit: an unknown outcome locks the wallet for every
  // kind.
  const rows = await tx.$queryRaw<TransferRow[]>`
    SELECT ${TRANSFER_FACTS}
    FROM movements m JOIN people p ON p.id = m.maker_id
    WHERE ${IS_TRANSFER}
      AND (m.to_wallet = ${toWallet} OR m.name_fold = ${nameFold})
    ORDER BY m.state IN ('SUBMITTING', 'UNKNOWN') DESC, m.created_at DESC LIMIT ${RECENT_MAX}`;
  const foreign = toWallet === null ? null : await readForeignPayments(tx, [toWallet], 'wallet');
  return {
    recent: rows.map(ownTransfer),
    saved: toWallet === null || kind === 'transfer_own' ? null : await readSavedPayee(tx, toWallet),
    foreign: foreign === null || toWallet === null ? [] : foreignTo(toWallet, foreign),
    fee: await readTransferFee(tx, kind, wallet),
    at: (await databaseNow(tx)).toISOString(),
  };
}

export function foreignTo(
  toWallet: string,
  found: ReadonlyMap<string, readonly ForeignPart[]>,
): PayeeFacts['foreign'] {
  return (found.get(toWallet) ?? []).map((one) => ({ toWallet, ...one }));
}

/** The range of the fees of a wallet's latest transfers of a kind. */
export async function readTransferFee(
  tx: Tx,
  kind: TransferKindName,
  wallet: string | null,
): Promise<FeeEstimate | null> {
  const fees = await tx.$queryRaw<Row<'movements', 'fee_minor', { fee_minor: bigint }>[]>`
    SELECT fee_minor FROM movements WHERE kind = ${kind} AND wallet = ${wallet}
      AND fee_minor IS NOT NULL ORDER BY created_at DESC LIMIT ${FEE_SAMPLES}`;
  return feeEstimate(fees.map((row) => row.fee_minor));
}

/** The columns of {@link TransferRow}: of a transfer `m` and its maker `p`. */
export const TRANSFER_FACTS = sql`m.id, m.to_wallet, m.name, m.amount_minor, m.currency,
  m.payment_type, m.description, m.state, m.returned, m.alert, m.created_at, m.reason_text,
  p.name AS maker, ${OLDER_THAN}`;

export type TransferRow = Row<
  'movements',
  | 'id'
  | 'to_wallet'
  | 'name'
  | 'amount_minor'
  | 'currency'
  | 'payment_type'
  | 'description'
  | 'state'
  | 'returned'
  | 'alert'
  | 'created_at'
  | 'reason_text',
  { to_wallet: string; state: State; returned: Returned; alert: Alert | null }
> & { maker: string; older_than: OlderThan };

export function ownTransfer(row: TransferRow): OwnTransfer {
  return {
    id: row.id,
    toWallet: row.to_wallet,
    name: row.name,
    amountMinor: row.amount_minor,
    currency: row.currency,
    paymentType: row.payment_type === '' ? null : row.payment_type,
    description: row.description,
    state: row.state,
    returned: row.returned,
    alert: row.alert,
    mayHaveLeft: SAYS_UNPAID.includes(row.state) && mayBeLost(row.older_than),
    createdAt: row.created_at.toISOString(),
    maker: row.maker,
    reasonText: row.reason_text,
  };
}
