import 'server-only';
import { databaseNow } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { IS_TO_BANK } from '#lib/movements/kind-sql.ts';
import { IBAN_COOLDOWN_MS } from '#lib/movements/kinds.ts';
import { readForeignPayments } from '#lib/recipients/foreign-payments.ts';
import { isOpenUnknown } from '#lib/payment-checks/history.ts';
import type { OwnMovement } from '#lib/payment-checks/history.ts';
import { readSavedPayees } from '#lib/recipients/saved-payee.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { foreignTo, MOVEMENT_FACTS, ownMovement, readFeeEstimate, RECENT_MAX } from './facts.ts';
import type { MovementFacts, RecipientFacts, RecipientQuestion } from './facts.ts';

type Payee = Pick<RecipientQuestion, 'iban' | 'name' | 'taxNumber'>;
/** The facts about one of the payees that were asked about. */
export type FactsOfPayee = (payee: Payee) => RecipientFacts;

/**
 * What `readRecipientFacts` reads of one recipient, for any number of them in a fixed number of
 * statements; a database test compares the two.
 */
export async function readFactsOfMany(
  tx: Tx,
  payees: readonly Payee[],
  wallet: string | null,
): Promise<FactsOfPayee> {
  const ibans = distinct(payees.map(({ iban }) => iban));
  const recentOf = recentBy(await readMovements(tx, ibans, payees));
  const saved = await readSavedPayees(tx, ibans);
  const foreign = await readForeignPayments(tx, ibans, 'iban');
  const gates = await tx.$queryRaw<Row<'iban_gates', 'iban' | 'last_send_at'>[]>`
    SELECT iban, last_send_at FROM iban_gates WHERE iban = ANY(${ibans}::text[])
      AND last_send_at > clock_timestamp() - make_interval(secs => ${IBAN_COOLDOWN_MS / 1000})`;
  const lastSend = new Map(gates.map((gate) => [gate.iban, gate.last_send_at.toISOString()]));
  const fee = await readFeeEstimate(tx, wallet);
  const at = (await databaseNow(tx)).toISOString();
  return (payee) => {
    const iban = payee.iban ?? '';
    return {
      recent: recentOf(payee),
      saved: saved.get(iban) ?? null,
      foreign: foreignTo(iban, foreign),
      lastSendToIbanAt: lastSend.get(iban) ?? null,
      fee,
      at,
    };
  };
}

/** The latest movements of each IBAN, number and name, those of unknown outcome first. */
async function readMovements(
  tx: Tx,
  ibans: readonly string[],
  payees: readonly Payee[],
): Promise<OwnMovement[]> {
  const taxNumbers = distinct(payees.map(({ taxNumber }) => taxNumber));
  const names = distinct(payees.map(({ name }) => (name === null ? null : foldForSearch(name))));
  const rows = await tx.$queryRaw<MovementFacts[]>`
    WITH found AS (
      SELECT m.*, m.iban = ANY(${ibans}::text[]) AS by_iban,
        m.tax_number = ANY(${taxNumbers}::text[]) AS by_number,
        m.name_fold = ANY(${names}::text[]) AS by_name
      FROM movements m WHERE ${IS_TO_BANK} AND (m.iban = ANY(${ibans}::text[])
        OR m.tax_number = ANY(${taxNumbers}::text[]) OR m.name_fold = ANY(${names}::text[]))),
    numbered AS (
      SELECT f.*, row_number() OVER (PARTITION BY iban ORDER BY state IN ('SUBMITTING', 'UNKNOWN')
          DESC, created_at DESC) AS nth_of_iban,
        row_number() OVER (PARTITION BY tax_number ORDER BY state IN ('SUBMITTING', 'UNKNOWN')
          DESC, created_at DESC) AS nth_of_number,
        row_number() OVER (PARTITION BY name_fold ORDER BY state IN ('SUBMITTING', 'UNKNOWN')
          DESC, created_at DESC) AS nth_of_name
      FROM found f)
    SELECT ${MOVEMENT_FACTS} FROM numbered m JOIN people p ON p.id = m.maker_id
    WHERE (m.by_iban AND m.nth_of_iban <= ${RECENT_MAX})
      OR (m.by_number AND m.nth_of_number <= ${RECENT_MAX})
      OR (m.by_name AND m.nth_of_name <= ${RECENT_MAX})`;
  return rows.map(ownMovement);
}

/** The movements to a payee, in the order and to the number that one question has. */
function recentBy(movements: readonly OwnMovement[]): (payee: Payee) => OwnMovement[] {
  const byIban = Map.groupBy(movements, ({ iban }) => iban);
  const byNumber = Map.groupBy(movements, ({ taxNumber }) => taxNumber);
  const byName = Map.groupBy(movements, ({ name }) => foldForSearch(name));
  return ({ iban, taxNumber, name }) => {
    const found = new Set([
      ...((iban !== null && byIban.get(iban)) || []),
      ...((taxNumber !== null && byNumber.get(taxNumber)) || []),
      ...((name !== null && byName.get(foldForSearch(name))) || []),
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
