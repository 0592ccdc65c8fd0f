import 'server-only';
import { PREPARED_LATELY } from '#lib/movements/kind-sql.ts';
import { kindOf } from '#lib/movements/kinds.ts';
import { judgeOwnLimit } from '#lib/movements/own-limit.ts';
import { NOTHING_NEEDED } from '#lib/policy/rules.ts';
import type { PreparedSum } from '#lib/policy/rules.ts';
import { verdictOf } from '#lib/policy/verdict.ts';
import type { PolicyVerdict } from '#lib/policy/verdict.ts';
import { currentPolicy } from '#lib/policy/versions.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { BANK_ROW, payeeNumber } from '../row-content.ts';
import { judgeRows, sumOf } from './judge-rows.ts';
import type { JudgedRow, RowsFacts } from './judge-rows.ts';
import { readPayees } from './payees.ts';

/** What is judged of a batch: its rows together are one payment of their sum as well. */
export type JudgedBatch = {
  id: string;
  makerId: string;
  wallet: string;
  currency: string;
  rows: readonly JudgedRow[];
};

/**
 * What the policy of this moment asks of a batch as a whole: the strictest of what it asks of the
 * sum as one payment, of each row beside all others, and of the maker's own limits. Each row is
 * judged again when it becomes a movement; what asks for more then waits by itself.
 */
export async function judgeBatch(tx: Tx, batch: JudgedBatch): Promise<PolicyVerdict> {
  const { id, makerId, wallet, currency, rows } = batch;
  const policy = await currentPolicy(tx);
  const byPolicy =
    policy === null ? NOTHING_NEEDED : judgeRows(policy.rules, batch, await readFacts(tx, batch));
  const sum = sumOf(rows);
  const largest = rows.reduce((most, row) => (row.amountMinor > most ? row.amountMinor : most), 0n);
  const judgement = await judgeOwnLimit(
    tx,
    {
      id,
      // A person's own limit counts payouts and transfers together.
      kind: BANK_ROW,
      makerId,
      content: { wallet, currency, iban: '', toWallet: null, name: '', amountMinor: largest },
    },
    byPolicy,
    sum - largest,
  );
  return verdictOf(policy, judgement, { currency, amountMinor: sum });
}

/** Prepared in 24 hours, and neither refused nor taken back. */
const COUNTS_M = sql`(${PREPARED_LATELY}
  AND m.state NOT IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'))`;

/** In a fixed number of statements, whatever the number of rows. */
async function readFacts(tx: Tx, { makerId, currency, rows }: JudgedBatch): Promise<RowsFacts> {
  const numbers = [...new Set(rows.map(payeeNumber))];
  const byMaker = await tx.$queryRaw<Sum[]>`
    SELECT m.kind, m.wallet, sum(m.amount_minor)::text AS minor FROM movements m
    WHERE ${COUNTS_M} AND m.currency = ${currency} AND m.maker_id = ${makerId}::uuid
    GROUP BY m.kind, m.wallet`;
  const toPayees = await tx.$queryRaw<(Sum & { number: string })[]>`
    SELECT coalesce(m.to_wallet, m.iban) AS number, m.kind, m.wallet,
      sum(m.amount_minor)::text AS minor FROM movements m
    WHERE ${COUNTS_M} AND m.currency = ${currency} AND m.card_payment_id IS NULL
      AND coalesce(m.to_wallet, m.iban) = ANY(${numbers}::text[])
    GROUP BY coalesce(m.to_wallet, m.iban), m.kind, m.wallet`;
  return {
    ...(await readPayees(tx, rows)),
    byMaker: byMaker.flatMap((sum) => preparedOf(sum, 'byMakerMinor')),
    toPayees: new Map(
      [...Map.groupBy(toPayees, ({ number }) => number)].map(([number, sums]) => [
        number,
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
