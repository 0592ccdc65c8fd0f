import { kindOf } from '#lib/movements/kinds.ts';
import { judgePolicy } from '#lib/policy/rules.ts';
import type { PolicyFacts, PolicyJudgement, PolicyRule, PreparedSum } from '#lib/policy/rules.ts';
import { payeeNumber, rowKindOf } from '../row-content.ts';
import type { KnownPayees, Payee } from './payees.ts';
import { strictestOf } from './strictest.ts';

/** What the rules of a policy ask of the rows of a batch together. Pure: shared with the simulator. */

export type JudgedRow = Payee & { amountMinor: bigint };

export type RowsFacts = KnownPayees & {
  /** What the maker prepared in 24 hours. */
  byMaker: readonly PreparedSum[];
  /** What was prepared for each account and wallet in 24 hours. */
  toPayees: ReadonlyMap<string, readonly PreparedSum[]>;
};

/** The strictest of what is asked of the sum as one payment, and of each row beside all others. */
export function judgeRows(
  rules: readonly PolicyRule[],
  { wallet, currency, rows }: { wallet: string; currency: string; rows: readonly JudgedRow[] },
  { byMaker, toPayees, isFirst, isChanged }: RowsFacts,
): PolicyJudgement {
  const sum = sumOf(rows);
  const ofClass = sumsBy(rows, classOf);
  const samePayee = sumsBy(rows, payeeNumber);
  const together = [...ofClass.keys()].map((policyClass): PolicyFacts => ({
    policyClass,
    wallet,
    currency,
    amountMinor: sum,
    isFirstPayment: false,
    isPayeeChanged: false,
    prepared: byMaker,
  }));
  const judged = rows.map((row) => {
    const { amountMinor } = row;
    const own = classOf(row);
    const others = [...ofClass].flatMap(([policyClass, minor]): PreparedSum[] => {
      if (policyClass === null) return [];
      const isOwn = policyClass === own;
      const byMakerMinor = minor - (isOwn ? amountMinor : 0n);
      const toPayeeMinor = isOwn ? (samePayee.get(payeeNumber(row)) ?? 0n) - amountMinor : 0n;
      return [{ policyClass, wallet, byMakerMinor, toPayeeMinor }];
    });
    return judgePolicy(rules, {
      policyClass: own,
      wallet,
      currency,
      amountMinor,
      isFirstPayment: isFirst(row),
      isPayeeChanged: isChanged(row),
      prepared: [...byMaker, ...(toPayees.get(payeeNumber(row)) ?? []), ...others],
    });
  });
  return strictestOf([...together.map((all) => judgePolicy(rules, all)), ...judged]);
}

/** Rows of one file can be of two classes; the sum of all is judged as a payment of each. */
function classOf(row: JudgedRow): PolicyFacts['policyClass'] {
  return kindOf(rowKindOf(row)).policyClass;
}

function sumsBy<Key>(rows: readonly JudgedRow[], keyOf: (row: JudgedRow) => Key): Map<Key, bigint> {
  return new Map([...Map.groupBy(rows, keyOf)].map(([key, some]) => [key, sumOf(some)]));
}

export function sumOf(rows: readonly Pick<JudgedRow, 'amountMinor'>[]): bigint {
  return rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}
