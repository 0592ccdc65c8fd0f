import 'server-only';
import { kindOf } from '#lib/movements/kinds.ts';
import { judgeOwnLimit } from '#lib/movements/own-limit.ts';
import { NOTHING_NEEDED, judgePolicy } from '#lib/policy/rules.ts';
import type { PolicyFacts, PolicyJudgement, PolicyRule, PreparedSum } from '#lib/policy/rules.ts';
import { verdictOf } from '#lib/policy/verdict.ts';
import type { PolicyVerdict } from '#lib/policy/verdict.ts';
import { currentPolicy } from '#lib/policy/versions.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { readPayees } from './payees.ts';
import type { KnownPayees } from './payees.ts';
import { strictestOf } from './strictest.ts';

/** What is judged of a batch: its rows together are one payment of their sum as well. */
export type JudgedBatch = {
  id: string;
  makerId: string;
  wallet: string;
  currency: string;
  rows: readonly JudgedRow[];
};
export type JudgedRow = { iban: string; name: string; amountMinor: bigint };

/**
 * What the policy of this moment asks of a batch as a whole: the strictest of what it asks of the
 * sum as one payment, of each row beside all others, and of the maker's own limits. Each row is
 * judged again when it becomes a movement; what asks for more then waits by itself.
 */
export async function judgeBatch(tx: Tx, batch: JudgedBatch): Promise<PolicyVerdict> {
  const { id, makerId, wallet, currency, rows } = batch;
  const policy = await currentPolicy(tx);
  const byPolicy =
    policy === null ? NOTHING_NEEDED : judgeAll(policy.rules, batch, await readFacts(tx, batch));
  const sum = sumOf(rows);
  const largest = rows.reduce((most, row) => (row.amountMinor > most ? row.amountMinor : most), 0n);
  const judgement = await judgeOwnLimit(
    tx,
    {
      id,
      kind: 'payout',
      makerId,
      content: { wallet, currency, iban: '', toWallet: null, name: '', amountMinor: largest },
    },
    byPolicy,
    sum - largest,
  );
  return verdictOf(policy, judgement, { currency, amountMinor: sum });
}

type Facts = KnownPayees & {
  /** What the maker prepared in 24 hours. */
  byMaker: readonly PreparedSum[];
  /** What was prepared for each IBAN in 24 hours. */
  toPayees: ReadonlyMap<string, readonly PreparedSum[]>;
};

/** Prepared in 24 hours, and neither refused nor taken back. */
const COUNTS_M = sql`(m.created_at > clock_timestamp() - interval '24 hours'
  AND m.state NOT IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'))`;

/** In a fixed number of statements, whatever the number of rows. */
async function readFacts(tx: Tx, { makerId, currency, rows }: JudgedBatch): Promise<Facts> {
  const ibans = [...new Set(rows.map(({ iban }) => iban))];
  const byMaker = await tx.$queryRaw<Sum[]>`
    SELECT m.kind, m.wallet, sum(m.amount_minor)::text AS minor FROM movements m
    WHERE ${COUNTS_M} AND m.currency = ${currency} AND m.maker_id = ${makerId}::uuid
    GROUP BY m.kind, m.wallet`;
  const toPayees = await tx.$queryRaw<(Sum & Row<'movements', 'iban'>)[]>`
    SELECT m.iban, m.kind, m.wallet, sum(m.amount_minor)::text AS minor FROM movements m
    WHERE ${COUNTS_M} AND m.currency = ${currency} AND m.to_wallet IS NULL
      AND m.iban = ANY(${ibans}::text[]) GROUP BY m.iban, m.kind, m.wallet`;
  return {
    ...(await readPayees(tx, rows)),
    byMaker: byMaker.flatMap((sum) => preparedOf(sum, 'byMakerMinor')),
    toPayees: new Map(
      [...Map.groupBy(toPayees, ({ iban }) => iban)].map(([iban, sums]) => [
        iban,
        sums.flatMap((sum) => preparedOf(sum, 'toPayeeMinor')),
      ]),
    ),
  };
}

type Sum = Row<'movements', 'kind' | 'wallet'> & { minor: string };

function preparedOf(
  { kind, wallet, minor }: Sum,
  of: 'byMakerMinor' | 'toPayeeMinor',
): PreparedSum[] {
  const { policyClass } = kindOf(kind);
  const none = { byMakerMinor: 0n, toPayeeMinor: 0n };
  return policyClass === null ? [] : [{ policyClass, wallet, ...none, [of]: BigInt(minor) }];
}

function judgeAll(
  rules: readonly PolicyRule[],
  { wallet, currency, rows }: JudgedBatch,
  { byMaker, toPayees, isFirst, isChanged }: Facts,
): PolicyJudgement {
  const sum = sumOf(rows);
  const sums = Map.groupBy(rows, ({ iban }) => iban);
  const sameIban = new Map([...sums].map(([iban, all]) => [iban, sumOf(all)]));
  const { policyClass } = kindOf('payout');
  const all: PolicyFacts = {
    policyClass,
    wallet,
    currency,
    amountMinor: sum,
    isFirstPayment: false,
    isPayeeChanged: false,
    prepared: byMaker,
  };
  const judged = rows.map((row) => {
    const { iban, amountMinor } = row;
    const byMakerMinor = sum - amountMinor;
    const toPayeeMinor = (sameIban.get(iban) ?? 0n) - amountMinor;
    const others =
      policyClass === null ? [] : [{ policyClass, wallet, byMakerMinor, toPayeeMinor }];
    return judgePolicy(rules, {
      ...all,
      amountMinor,
      isFirstPayment: isFirst(row),
      isPayeeChanged: isChanged(row),
      prepared: [...byMaker, ...(toPayees.get(iban) ?? []), ...others],
    });
  });
  return strictestOf([judgePolicy(rules, all), ...judged]);
}

function sumOf(rows: readonly Pick<JudgedRow, 'amountMinor'>[]): bigint {
  return rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}
