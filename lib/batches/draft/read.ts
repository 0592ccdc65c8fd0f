import 'server-only';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { readFactsOfMany } from '#lib/payouts/facts-of-many.ts';
import { factsOf } from '#lib/payouts/judge.ts';
import type { Balance } from '#lib/payouts/judge.ts';
import type { FeeEstimate, Finding } from '#lib/payouts/rules.ts';
import type { PayoutForm } from '#lib/payouts/schema.ts';
import type { PaymentType } from '#lib/providers/wallet/types.ts';
import type { Locale } from '#lib/values/locale.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { knownWallet, paymentTypes } from '#lib/wallets/ask.ts';
import type { Mapping } from '../file/mapping.ts';
import {
  contentOf,
  hasProblem,
  overrideOf,
  rowChecker,
  tickKey,
  wholeContent,
} from './check-rows.ts';
import type { CheckedRow, CheckedRows, DraftFacts } from './check-rows.ts';
import type { Register } from './complete-row.ts';
import { completeRow, registerOf } from './complete-row.ts';
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

/** What only the provider knows. `types`: empty when they could not be queried. */
export type FromProvider = { balance: Balance | null; types: readonly PaymentType[] };

/** The content of a row, whose identity the submission makes; its ticks stand beside it. */
export type RowForm = Omit<PayoutForm, 'content'> & {
  content: Omit<PayoutForm['content'], 'id'>;
};

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
  const [wallet, types] = await Promise.all([
    knownWallet(actor, batch.wallet),
    paymentTypes(locale),
  ]);
  const balance = wallet?.fresh ? wallet.value : null;
  return inTransaction(actor.merchantId, (tx) => checkDraft(tx, batch, { balance, types }, told));
}

/** Checks a stored draft inside the caller's transaction. */
export async function checkDraft(
  tx: Tx,
  batch: BatchRow,
  { balance, types }: FromProvider,
  told: (done: number) => void = () => undefined,
): Promise<CheckedDraft> {
  const { rows, mapping } = tableOf(batch);
  const { facts, fee, at } = await readDraftFacts(tx, batch, rows, { balance, types });
  const checked = await checkInParts(rows, batch, facts, told);
  const summary = summarize(checked.rows, { balance, fee });
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
export function formOf(row: CheckedRow, wallet: string): RowForm | null {
  const content = wholeContent(row);
  if (content === null || row.isOut || hasProblem(row)) return null;
  const given = new Set(row.ticked?.keys);
  const overrides = row.findings
    .filter((finding) => finding.level === 'warn' && given.has(tickKey(finding)))
    .map(overrideOf);
  return {
    content: { ...content, source: { kind: 'wallet', number: wallet } },
    writtenCurrency: row.writtenCurrency,
    overrides: [...new Set(overrides)].sort(),
    overrideReason: overrides.length === 0 ? null : (row.ticked?.reason ?? null),
  };
}

/** Everything that the rules need of all rows, in a fixed number of statements. */
async function readDraftFacts(
  tx: Tx,
  batch: BatchRow,
  rows: readonly DraftRow[],
  { balance, types }: FromProvider,
): Promise<{ facts: DraftFacts; fee: FeeEstimate | null; at: string }> {
  const register = await readRegister(tx, rows);
  const known = { register, types: types.length === 0 ? null : types, defaults: batch.defaults };
  const payees = rows.map((row) => {
    const { iban = null, name = null, taxNumber = null } = completeRow(row, known).content;
    return { iban, name, taxNumber };
  });
  const factsOfPayee = await readFactsOfMany(tx, payees, batch.wallet);
  const { fee, at } = factsOfPayee({ iban: null, name: null, taxNumber: null });
  const typeOf = new Map(types.map((type) => [type.code, type]));
  return {
    fee,
    at,
    facts: {
      ...known,
      factsOf: ({ content, writtenCurrency }) =>
        factsOf(
          { content: contentOf(content, batch.wallet), writtenCurrency },
          {
            balance,
            type: typeOf.get(content.paymentType ?? '') ?? null,
            recipient: factsOfPayee({
              iban: content.iban ?? null,
              name: content.name ?? null,
              taxNumber: content.taxNumber ?? null,
            }),
          },
        ),
    },
  };
}

/** The saved recipients whose names or nicknames stand in the rows, with the accounts to pay. */
async function readRegister(tx: Tx, rows: readonly DraftRow[]): Promise<Register> {
  const names = new Set(
    rows.flatMap(({ cells: { recipient } }) =>
      recipient.state === 'look_up' ? foldForSearch(recipient.text) : [],
    ),
  );
  if (names.size === 0) return new Map();
  const found = await tx.$queryRaw<
    (Row<'recipients', 'id' | 'name' | 'nickname' | 'tax_number'> & { ibans: string[] })[]
  >`
    SELECT r.id, r.name, r.nickname, r.tax_number, array_agg(p.number ORDER BY p.created_at DESC) AS ibans
    FROM recipients r JOIN recipient_payees p ON p.recipient_id = r.id
    WHERE (r.name_fold = ANY(${[...names]}::text[]) OR r.nickname_fold = ANY(${[...names]}::text[]))
      AND r.archived_at IS NULL AND p.archived_at IS NULL AND p.number LIKE 'TR%'
    GROUP BY r.id ORDER BY r.id`;
  return registerOf(
    found.map(({ name, nickname, tax_number: taxNumber, ibans }) => ({
      name,
      nickname,
      taxNumber,
      ibans,
    })),
  );
}
