import { judgeRows, sumOf } from '#lib/batches/approval/judge-rows.ts';
import type { JudgedRow, RowsFacts } from '#lib/batches/approval/judge-rows.ts';
import { BANK_ROW } from '#lib/batches/row-content.ts';
import { kindOf } from '#lib/movements/kinds.ts';
import { addLimit, isLimited } from '#lib/policy/limits.ts';
import { NOTHING_NEEDED } from '#lib/policy/rules.ts';
import type { PreparedSum } from '#lib/policy/rules.ts';
import { verdictOf } from '#lib/policy/verdict.ts';
import type { PolicyVerdict } from '#lib/policy/verdict.ts';
import { paidOf, payeeIn, PAYS_FROM } from './batch-content.ts';
import type { Batch } from './batches.ts';
import type { Governance, PersonName } from './governance.ts';
import type { Row, Tx } from './store.ts';
import { DAY } from './time.ts';
import { DEAD, dayBeganAt } from './verdict.ts';

/**
 * What the policy of this moment asks of all rows of a file: the product's rules, with the facts that
 * lib/batches/approval/judge.ts and payees.ts read in SQL.
 */
export function batchVerdict(
  tx: Tx,
  { policy, limits }: Governance,
  { maker, rows }: Pick<Batch, 'maker' | 'rows'>,
): PolicyVerdict {
  const judged = rows.map(paidOf);
  const byPolicy =
    policy === null
      ? NOTHING_NEEDED
      : judgeRows(policy.rules, { ...PAYS_FROM, rows: judged }, factsOf(tx, maker));
  const sum = sumOf(judged);
  const largest = judged.reduce((most, { amountMinor: one }) => (one > most ? one : most), 0n);
  const dayMinor = usedToday(tx, maker) + sum - largest;
  const limit = limits[maker as PersonName] ?? null;
  const judgement = addLimit(byPolicy, limit, { amountMinor: largest, dayMinor });
  return verdictOf(policy, judgement, { currency: PAYS_FROM.currency, amountMinor: sum });
}

function factsOf(tx: Tx, maker: string): RowsFacts {
  const paid = tx.rows().filter((row) => row.state === 'COMPLETED' && row.returned === 'NONE');
  const recent = tx
    .rows()
    .filter((row) => row.createdAt > tx.now - DAY && row.currency === PAYS_FROM.currency)
    .filter((row) => !DEAD.includes(row.state));
  const isFirst = ({ iban, person }: JudgedRow): boolean =>
    !paid.some((row) => row.iban === iban && row.toWallet === (person?.toWallet ?? null));
  const isOfKind = (row: Row, { person }: JudgedRow): boolean =>
    (row.iban === '') === (person !== undefined);
  return {
    byMaker: recent.filter((row) => row.makerId === maker).flatMap(preparedByMaker),
    toPayees: new Map(
      [...Map.groupBy(recent, payeeIn)].map(([number, some]) => [
        number,
        some.flatMap(preparedForPayee),
      ]),
    ),
    isFirst: (payee) => isFirst(payee as JudgedRow),
    isChanged: (payee) =>
      isFirst(payee as JudgedRow) &&
      paid.some(
        (row) => row.name === payee.name && row.card === null && isOfKind(row, payee as JudgedRow),
      ),
  };
}

function preparedByMaker({ kind, wallet, amountMinor }: Row): PreparedSum[] {
  const { policyClass } = kindOf(kind);
  const none = { byMakerMinor: 0n, toPayeeMinor: 0n };
  return policyClass === null ? [] : [{ ...none, policyClass, wallet, byMakerMinor: amountMinor }];
}

function preparedForPayee(row: Row): PreparedSum[] {
  return preparedByMaker(row).map((one) => ({
    ...one,
    byMakerMinor: 0n,
    toPayeeMinor: row.amountMinor,
  }));
}

function usedToday(tx: Tx, maker: string): bigint {
  if (!isLimited(kindOf(BANK_ROW).policyClass)) return 0n;
  return tx
    .rows()
    .filter(
      (row) =>
        row.makerId === maker &&
        row.currency === PAYS_FROM.currency &&
        isLimited(kindOf(row.kind).policyClass) &&
        row.createdAt >= dayBeganAt(tx.now) &&
        !DEAD.includes(row.state),
    )
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}
