import 'server-only';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf } from '#lib/runtime/db.ts';
import { lookSays } from '#lib/movements/closable.ts';
import type { Look } from '#lib/movements/closable.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { State } from '#lib/movements/state.ts';
import { entryLevel } from '#lib/providers/wallet/entry-level.ts';
import type { MovementView, SourceObservations, TimelineEntry } from './view-model.ts';

/** The evidence of one movement as a page shows it. */

const RAW_SHOWN = 12;

export const EVIDENCE = columns('evidence', [
  'id',
  'source',
  'kind',
  'detail',
  'raw',
  'state_before',
  'state_after',
  'at',
]);
export type EvidenceRow = RowOf<
  typeof EVIDENCE,
  {
    source: TimelineEntry['source'];
    detail: Record<string, unknown>;
    state_before: State;
    state_after: State;
  }
>;

/**
 * What the latest read that was not late shows; null without such a read. `lastLook` reads the same
 * for a decision of people about the movement.
 */
export function latestLook(
  { kind, requestId }: Pick<MovementRow, 'kind' | 'requestId'>,
  rows: EvidenceRow[],
): Look | null {
  const row = rows.findLast((one) => one.source === 'read' && one.detail.late === undefined);
  if (row === undefined) return null;
  const says = lookSays(kind, {
    kind: text(row.detail.kind) ?? '',
    why: text(row.detail.why),
    level: text(row.detail.level),
    other: requestId !== null && (text(row.detail.requestId) ?? requestId) !== requestId,
  });
  return { says, at: row.at.getTime() };
}

/**
 * The latest raw answers, without those that repeat the previous one: a payout is checked for a
 * month.
 */
export function rawAnswers(
  rows: EvidenceRow[],
  shown: (text: string) => string,
): MovementView['raw'] {
  const answers = rows.filter(
    (row, index) =>
      row.raw !== null &&
      row.raw !== rows.slice(0, index).findLast((before) => before.kind === row.kind)?.raw,
  );
  return answers
    .slice(-RAW_SHOWN)
    .map((row) => ({ at: row.at.toISOString(), source: row.source, text: shown(row.raw ?? '') }));
}

/**
 * The evidence that changed something visible, in order; repeated checks without news are shown
 * with their sources only.
 */
export function timeline(rows: EvidenceRow[]): TimelineEntry[] {
  return rows
    .filter(
      (row) =>
        row.state_before !== row.state_after ||
        row.kind === 'notice' ||
        (row.kind === 'answer' && row.state_after === 'UNKNOWN') ||
        returnStep(row),
    )
    .map((row) => ({
      at: row.at.toISOString(),
      source: row.source,
      kind: currentKind(row),
      outcome: text(row.detail.kind),
      why: text(row.detail.why),
      hint: text(row.detail.hint),
      code: text(row.detail.code),
      from: row.state_before,
      to: row.state_after,
    }));
}

/** Evidence is append-only: older rows have this event's earlier name. */
function currentKind({ kind }: EvidenceRow): string {
  return kind === 'refund_unconfirmed' ? 'return_unconfirmed' : kind;
}

function returnStep(row: EvidenceRow): boolean {
  return (
    currentKind(row) === 'return_unconfirmed' ||
    (row.kind === 'ledger' &&
      Array.isArray(row.detail.lines) &&
      row.detail.lines.some(
        (line: { direction?: string; statusId?: number }) =>
          line.direction === 'in' || entryLevel(line.statusId ?? 0) === 'refunded',
      ))
  );
}

export function observationsOf(rows: EvidenceRow[], notices: number): SourceObservations {
  const last = (kind: string): EvidenceRow | undefined => rows.findLast((row) => row.kind === kind);
  const latest = (kind: string): SourceObservations['record'] => {
    const row = last(kind);
    return row
      ? {
          says: text(row.detail.level) ?? text(row.detail.kind) ?? 'nothing',
          why: text(row.detail.why),
          at: row.at.toISOString(),
          times: rows.filter((one) => one.kind === kind).length,
        }
      : null;
  };
  const hint = last('notice');
  return {
    answer: latest('answer'),
    record: latest('read'),
    ledger: latest('ledger'),
    notice: hint
      ? {
          says: text(hint.detail.hint) ?? 'unknown',
          why: null,
          at: hint.at.toISOString(),
          times: Math.max(1, notices),
        }
      : null,
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
