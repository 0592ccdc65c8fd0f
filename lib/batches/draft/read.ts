import 'server-only';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import type { PayoutForm } from '#lib/payouts/schema.ts';
import type { Locale } from '#lib/values/locale.ts';
import { knownWallet, paymentTypes } from '#lib/wallets/ask.ts';
import type { Mapping } from '../file/mapping.ts';
import type { RowContent } from '../row-content.ts';
import { hasProblem, overrideOf, rowChecker, tickKey, wholeContent } from './check-rows.ts';
import type { CheckedRow, CheckedRows, DraftFacts } from './check-rows.ts';
import { readRowFacts } from './row-facts.ts';
import type { FromProvider } from './row-facts.ts';
import { lookUpPeople } from './people.ts';
import type { DraftRow, DraftTable } from './draft-table.ts';
import { readBatch, tableOf } from './row.ts';
import type { BatchRow } from './row.ts';
import { draftProblems, isReady, summarize } from './summary.ts';
import type { DraftProblem, DraftSummary } from './summary.ts';

/** A draft with all its rows checked against the facts of now. */
export type CheckedDraft = {
  batch: BatchRow;
  mapping: Mapping;
  rows: readonly CheckedRow[];
  walletFindings: readonly Finding[];
  problems: readonly DraftProblem[];
  summary: DraftSummary;
  /** No row has a problem, and nothing keeps the draft from being submitted. */
  isReady: boolean;
  /** The database's now. */
  at: string;
};

/** The content of a row, whose identity the submission makes; its ticks stand beside it. */
export type RowForm = Omit<PayoutForm, 'content'> & { content: RowContent };

/** A batch and its rows before they are checked: what a page shows at once. */
export type ViewedBatch = {
  batch: BatchRow;
  table: DraftTable | null;
  isOwn: boolean;
  maker: string;
};

/**
 * Reads a batch without asking anybody about its rows; null when there is none. `table` is null
 * once it is no draft.
 *
 * @throws Refusal `not_allowed`
 */
export async function viewBatch(actor: Person, id: string): Promise<ViewedBatch | null> {
  assertMay(actor, 'payout.prepare');
  return inTransaction(actor.merchantId, async (tx) => {
    const batch = await readBatch(tx, id);
    if (batch === null) return null;
    const [maker] = await tx.$queryRaw<Row<'people', 'name'>[]>`
      SELECT name FROM people WHERE id = ${batch.maker_id}::uuid`;
    return {
      batch,
      table: batch.state === 'DRAFT' ? tableOf(batch) : null,
      isOwn: batch.maker_id === actor.personId,
      maker: maker?.name ?? '',
    };
  });
}

/**
 * Reads a draft and checks every row: the provider is asked first, while no transaction is open.
 * `told`: how many rows are checked, from 0 on when all facts are read.
 *
 * @throws Refusal `not_allowed`, `not_found`, `batch_not_draft`
 */
export async function readDraft(
  actor: Person,
  id: string,
  locale: Locale,
  told: (done: number) => void = () => undefined,
): Promise<CheckedDraft> {
  assertMay(actor, 'payout.prepare');
  const batch = await inTransaction(actor.merchantId, (tx) => readBatch(tx, id));
  if (batch === null) throw new Refusal('not_found');
  if (batch.state !== 'DRAFT') throw new Refusal('batch_not_draft');
  const [wallet, types, people] = await Promise.all([
    knownWallet(actor, batch.wallet),
    paymentTypes(locale),
    lookUpPeople(actor, tableOf(batch).rows, batch.currency),
  ]);
  const balance = wallet?.fresh ? wallet.value : null;
  return inTransaction(actor.merchantId, (tx) =>
    checkDraft(tx, batch, { balance, types, people }, told),
  );
}

/** Checks a stored draft inside the caller's transaction. */
export async function checkDraft(
  tx: Tx,
  batch: BatchRow,
  from: FromProvider,
  told: (done: number) => void = () => undefined,
): Promise<CheckedDraft> {
  const { rows, mapping } = tableOf(batch);
  const { balance, types } = from;
  const { facts, fees, at } = await readRowFacts(tx, batch, rows, from);
  const checked = await checkInParts(rows, batch, facts, told);
  const summary = summarize(checked.rows, { balance, fees });
  const problems = draftProblems(summary, { mapping, balance, typesKnown: types.length > 0 });
  return {
    batch,
    mapping,
    ...checked,
    problems,
    summary,
    isReady: isReady(summary, problems, checked.walletFindings),
    at,
  };
}

/** Rows that are checked in one turn: whoever else asks this process is answered between turns. */
const TURN_ROWS = 500;

async function checkInParts(
  rows: readonly DraftRow[],
  { ticked }: Pick<BatchRow, 'ticked'>,
  facts: DraftFacts,
  told: (done: number) => void,
): Promise<CheckedRows> {
  const { next, walletFindings } = rowChecker(ticked, facts);
  const checked: CheckedRow[] = [];
  for (let at = 0; at < rows.length; at += TURN_ROWS) {
    told(at);
    await nextTurn();
    checked.push(...rows.slice(at, at + TURN_ROWS).map(next));
  }
  return { rows: checked, walletFindings };
}

/** The form of a row that can be paid; null while it has a problem or is taken out. */
export function formOf(row: CheckedRow): RowForm | null {
  const content = wholeContent(row);
  if (content === null || row.isOut || hasProblem(row)) return null;
  const given = new Set(row.ticked?.keys);
  const overrides = row.findings
    .filter((finding) => finding.level === 'warn' && given.has(tickKey(finding)))
    .map(overrideOf);
  return {
    content,
    writtenCurrency: row.writtenCurrency,
    overrides: [...new Set(overrides)].sort(),
    overrideReason: overrides.length === 0 ? null : (row.ticked?.reason ?? null),
  };
}
