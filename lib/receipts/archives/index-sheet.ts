import 'server-only';
import { createHash } from 'node:crypto';
import { may } from '#lib/access/actor.ts';
import { layoutOf } from '#lib/exports/layout.ts';
import type { Frame, Profile } from '#lib/exports/profile.ts';
import type { Cells, Column } from '#lib/exports/source.ts';
import { wholeFile } from '#lib/exports/zip.ts';
import { toRow } from '../list.ts';
import type { FoundReceipt } from '../list.ts';

/** The sheet that lists every receipt of an archive, present or missing. */

export const INDEX_COLUMNS = [
  { key: 'file', kind: 'text', width: 56 },
  { key: 'state', kind: 'code', width: 40 },
  { key: 'moved_at', kind: 'instant', width: 20 },
  { key: 'direction', kind: 'code', width: 10 },
  { key: 'other_side', kind: 'text', width: 32 },
  { key: 'iban', kind: 'text', width: 30 },
  { key: 'amount', kind: 'minor', width: 16 },
  { key: 'currency', kind: 'text', width: 8 },
  { key: 'reference', kind: 'text', width: 24 },
  { key: 'transaction_id', kind: 'text', width: 22 },
  { key: 'sha256', kind: 'text', width: 66 },
  { key: 'next_try', kind: 'instant', width: 20 },
  { key: 'tried_until', kind: 'instant', width: 20 },
  { key: 'problem', kind: 'text', width: 24 },
] as const satisfies readonly Column[];

/**
 * A row of the index before it is written: the document's name in the archive, or null when it is
 * missing.
 */
export type Indexed = {
  raw: FoundReceipt & { sha256: string | null; problem: string | null };
  file: string | null;
};

/** The index as files of the archive. `sha256sum -c` reads the last one. */
export function indexFiles(
  profile: Profile,
  frame: Frame,
  askedAt: string,
  all: readonly Indexed[],
): { name: string; data: Buffer }[] {
  const layout = layoutOf(profile, INDEX_COLUMNS, frame);
  const text =
    layout.rows.head +
    all.map((one) => layout.rows.row(cellsOf(one, frame))).join('') +
    layout.rows.tail;
  const digest = createHash('sha256').update(text).digest('hex');
  const files = [
    ...layout.before,
    { name: layout.rows.name, text },
    ...layout.after({ askedAt, rows: all.length, sums: {}, entry: layout.rows.name, digest }),
  ];
  const sums = all
    .flatMap(({ raw, file }) => (file === null ? [] : [`${raw.sha256}  ${file}\n`]))
    .join('');
  const index =
    profile === 'xlsx'
      ? [{ name: layout.fileName, data: wholeFile(files, new Date(askedAt)) }]
      : files.map((file) => ({ name: file.name, data: Buffer.from(file.text) }));
  return [...index, { name: 'SHA256SUMS.txt', data: Buffer.from(sums) }];
}

function cellsOf({ raw, file }: Indexed, { role }: Frame): Cells {
  const row = toRow(raw, may(role, 'payee.read'));
  // A document that exists here but not in the file: the file was full.
  const state = file === null && row.status === 'ready' ? 'left_out' : row.status;
  return [
    file,
    state,
    instant(row.paidAt),
    row.direction,
    row.name,
    row.iban,
    raw.amount_minor.toString(),
    row.currency,
    row.extId,
    row.transactionId,
    file === null ? null : raw.sha256,
    instant(row.nextAt),
    instant(row.until),
    raw.problem,
  ];
}

/** An instant in the format of exports: `2026-03-05 21:30:00.123+00`. */
function instant(iso: string | null): string | null {
  return iso === null ? null : iso.replace('T', ' ').replace('Z', '+00');
}
