import 'server-only';
import { SAYS_UNPAID } from '#lib/movements/state.ts';
import { mayBeLost } from '#lib/send-control/recovery/compare-journal.ts';
import type { OlderThan } from '#lib/send-control/recovery/compare-journal.ts';
import { OLDER_THAN } from '#lib/send-control/recovery/may-have-left.ts';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { databaseNow, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { IS_TO_BANK } from '#lib/movements/kind-sql.ts';
import { IBAN_COOLDOWN_MS } from '#lib/movements/kinds.ts';
import type { Alert, Returned, State } from '#lib/movements/state.ts';
import { readSavedPayee } from '#lib/recipients/saved-payee.ts';
import { readForeignPayments } from '#lib/recipients/foreign-payments.ts';
import type { ForeignPart } from '#lib/recipients/foreign-payments.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import type { OwnMovement } from '#lib/payment-checks/history.ts';
import { feeEstimate } from './rules.ts';
import type { FeeEstimate, ForeignPayment, SavedPayee } from './rules.ts';

/** The most movements to one payee that the rules look at. */
export const RECENT_MAX = 200;
const FEE_SAMPLES = 50;

/** The recipient to look up; fields may be missing while a person is typing. */
export type RecipientQuestion = {
  iban: string | null;
  name: string | null;
  taxNumber: string | null;
  wallet: string | null;
};

/** Our own data about a recipient. `at` is the database's now. */
export type RecipientFacts = {
  recent: OwnMovement[];
  saved: SavedPayee | null;
  foreign: ForeignPayment[];
  lastSendToIbanAt: string | null;
  fee: FeeEstimate | null;
  at: string;
};

/**
 * Reads our own data about a recipient, for the form's live summary. The submitting verb calls
 * `readRecipientFacts` inside its own transaction.
 */
export async function recipientFacts(
  actor: Person,
  question: RecipientQuestion,
): Promise<RecipientFacts> {
  assertMay(actor, 'payout.prepare');
  return inTransaction(actor.merchantId, (tx) => readRecipientFacts(tx, question));
}

export async function readRecipientFacts(
  tx: Tx,
  question: RecipientQuestion,
): Promise<RecipientFacts> {
  // No row limit for movements that may have been paid: they lock their amount however many
  // movements came after them.
  const nameFold = question.name === null ? null : foldForSearch(question.name);
  const rows = await tx.$queryRaw<MovementFacts[]>`
    SELECT ${MOVEMENT_FACTS} FROM movements m JOIN people p ON p.id = m.maker_id
    WHERE ${IS_TO_BANK}
      AND (m.iban = ${question.iban} OR m.tax_number = ${question.taxNumber} OR m.name_fold = ${nameFold})
    ORDER BY m.state IN ('SUBMITTING', 'UNKNOWN') DESC, m.created_at DESC LIMIT ${RECENT_MAX}`;
  const { iban } = question;
  const foreign = iban === null ? null : await readForeignPayments(tx, [iban], 'iban');
  const [gate] = await tx.$queryRaw<Row<'iban_gates', 'last_send_at'>[]>`
    SELECT last_send_at FROM iban_gates WHERE iban = ${question.iban}
      AND last_send_at > clock_timestamp() - make_interval(secs => ${IBAN_COOLDOWN_MS / 1000})`;
  return {
    recent: rows.map(ownMovement),
    saved: question.iban === null ? null : await readSavedPayee(tx, question.iban),
    foreign: foreign === null || iban === null ? [] : foreignTo(iban, foreign),
    lastSendToIbanAt: gate?.last_send_at.toISOString() ?? null,
    fee: await readFeeEstimate(tx, question.wallet),
    at: (await databaseNow(tx)).toISOString(),
  };
}

export function foreignTo(
  iban: string,
  found: ReadonlyMap<string, readonly ForeignPart[]>,
): ForeignPayment[] {
  return (found.get(iban) ?? []).map((one) => ({ iban, ...one }));
}

/** The range of the fees of a wallet's latest payouts. */
export async function readFeeEstimate(tx: Tx, wallet: string | null): Promise<FeeEstimate | null> {
  const fees = await tx.$queryRaw<Row<'movements', 'fee_minor', { fee_minor: bigint }>[]>`
    SELECT fee_minor FROM movements WHERE kind = 'payout' AND wallet = ${wallet}
      AND fee_minor IS NOT NULL ORDER BY created_at DESC LIMIT ${FEE_SAMPLES}`;
  return feeEstimate(fees.map((row) => row.fee_minor));
}

/** The columns of {@link MovementFacts}: of a movement `m` and its maker `p`. */
export const MOVEMENT_FACTS = sql`m.id, m.iban, m.name, m.tax_number, m.amount_minor, m.currency,
  m.payment_type, m.description, m.state, m.returned, m.alert, m.created_at, m.reason_text,
  p.name AS maker, ${OLDER_THAN}`;

export type MovementFacts = Row<
  'movements',
  | 'id'
  | 'iban'
  | 'name'
  | 'tax_number'
  | 'amount_minor'
  | 'currency'
  | 'payment_type'
  | 'description'
  | 'state'
  | 'returned'
  | 'alert'
  | 'created_at'
  | 'reason_text',
  { state: State; returned: Returned; alert: Alert | null }
> & { maker: string; older_than: OlderThan };

export function ownMovement(row: MovementFacts): OwnMovement {
  return {
    id: row.id,
    iban: row.iban,
    name: row.name,
    taxNumber: row.tax_number,
    amountMinor: row.amount_minor,
    currency: row.currency,
    paymentType: row.payment_type,
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
