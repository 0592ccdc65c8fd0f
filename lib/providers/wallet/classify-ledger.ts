/**
 * What the responses of SummaryRecordByFilter prove about one ext id. Pure: the worker and the
 * simulator use these same functions.
 */
import * as z from 'zod';
import type { Exchange, LedgerLine, LedgerOutcome } from '../outcome.ts';
import { NOT_FOUND_CODES, REFUSAL_STATUSES } from './codes.ts';
import { ledgerLine, transactionRecord } from './ledger-line.ts';
import { count, idOrNull, isSuccess, openEnvelope, paged } from './wire.ts';
import type { Answer } from './wire.ts';

/** Its counts are required: without them the first page would pass for the whole answer. */
const anyRow = paged(z.unknown()).extend({ page_count: count, row_count: count });
const reference = z.object({ tx_ref_correlation_id: idOrNull });

/**
 * The ledger entries of our ext id. `not_listed` proves nothing: open ones are never listed, and
 * posting may take minutes (code 312). Entries of other ext ids are left out, so that a filter that
 * the provider ignores cannot mix up two movements.
 */
export function classifyLedger(
  exchange: Exchange,
  expected: { extId: string; wallet?: string },
): LedgerOutcome & { pageCount: number } {
  const page = openLedgerPage(exchange);
  if (page.kind !== 'rows') return { ...page, pageCount: 0 };
  const { raw, pageCount } = page;
  const lines: LedgerLine[] = [];
  for (const row of page.rows) {
    const read = transactionRecord.safeParse(row);
    if (!read.success) return { kind: 'no_answer', why: 'shape', raw, pageCount };
    if (read.data.ext_transaction_id === expected.extId)
      lines.push(ledgerLine(read.data, expected.wallet));
  }
  return lines.length > 0
    ? { kind: 'listed', lines, raw, pageCount }
    : { kind: 'not_listed', raw, pageCount };
}

/**
 * One page of a wallet's entries, filtered for credits that refer to the transaction `refersTo` (a
 * bank return, `assumed`).
 */
export function classifyReturns(
  exchange: Exchange,
  expected: { refersTo: string; wallet: string },
): LedgerOutcome & { pageCount: number } {
  const page = openLedgerPage(exchange);
  if (page.kind !== 'rows') return { ...page, pageCount: 0 };
  const lines: LedgerLine[] = [];
  for (const row of page.rows) {
    const mark = reference.safeParse(row);
    if (!mark.success || mark.data.tx_ref_correlation_id !== expected.refersTo) continue;
    const read = transactionRecord.safeParse(row);
    if (!read.success) return { kind: 'no_answer', why: 'shape', raw: page.raw, pageCount: 0 };
    lines.push(ledgerLine(read.data, expected.wallet));
  }
  const { raw, pageCount } = page;
  return lines.length > 0
    ? { kind: 'listed', lines, raw, pageCount }
    : { kind: 'not_listed', raw, pageCount };
}

type Rows = { kind: 'rows'; rows: unknown[]; pageCount: number; raw: string };

/** The undecoded rows of one page, or the outcome when there are none. */
export function openLedgerPage(
  exchange: Exchange,
): Rows | Exclude<LedgerOutcome, { kind: 'listed' }> {
  const opened = openEnvelope(exchange);
  switch (opened.kind) {
    case 'not_sent':
      return { kind: 'no_answer', why: opened.why, raw: null };
    case 'unauthorized':
      return { kind: 'no_answer', why: 'unauthorized', raw: opened.raw };
    case 'unclear':
      return { kind: 'no_answer', why: opened.why, raw: opened.raw };
    case 'answer':
      return isSuccess(opened) ? readPage(opened) : readRefusal(opened);
  }
}

function readPage({ raw, payload }: Answer): Rows | Exclude<LedgerOutcome, { kind: 'listed' }> {
  if (payload === null) return { kind: 'not_listed', raw };
  const read = anyRow.safeParse(payload);
  if (!read.success) return { kind: 'no_answer', why: 'shape', raw };
  const { results: rows, page_count: pageCount, row_count: rowCount } = read.data;
  // Entries are counted and none is shown: whether one is ours is not known.
  if (rows.length === 0 && rowCount > 0) return { kind: 'no_answer', why: 'shape', raw };
  if (rows.length > 0 && pageCount === 0) return { kind: 'no_answer', why: 'shape', raw };
  return { kind: 'rows', rows, pageCount, raw };
}

function readRefusal({
  raw,
  http,
  status,
  code,
}: Answer): Exclude<LedgerOutcome, { kind: 'listed' }> {
  const isNotListed =
    http === 200 && REFUSAL_STATUSES.has(status) && code !== null && NOT_FOUND_CODES.has(code);
  return isNotListed
    ? { kind: 'not_listed', raw }
    : { kind: 'no_answer', why: http === 200 ? 'unknown_code' : 'http_status', raw };
}
