import 'server-only';
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { log } from '#lib/runtime/log.ts';
import { claimExport, giveBack, keepLast, keepPiece, storedRows } from './claim.ts';
import type { Job, Progress } from './claim.ts';
import { layoutOf } from './layout.ts';
import type { Layout } from './layout.ts';
import { openingOf } from './opening.ts';
import type { Opening } from './opening.ts';
import type { Sum, Sums } from './profile.ts';
import type { Cells, RowPage, Scope, Source } from './source.ts';
import { sourceOf } from './sources.ts';
import { directory, entryTail, packPiece, TAIL_PACKED, wholeEntry } from './zip.ts';
import type { Entry } from './zip.ts';

/**
 * The number of rows that are read, written and stored together. It bounds the work that is lost
 * when the process ends; a few times as many rows are in memory.
 */
const PAGE_ROWS = 2_000;
/** A small first piece, so that an immediate download starts quickly. */
const FIRST_ROWS = 200;

/**
 * Makes one export, or continues one that another process left. Each piece is stored together with
 * the progress after it, so that any worker continues with identical bytes. Returns false when none
 * was due. `until` stops it between two pieces; another worker continues at once.
 */
export async function makeOneExport(
  merchantId: string,
  until?: AbortSignal,
  pageRows = PAGE_ROWS,
): Promise<boolean> {
  const job = await claimExport(merchantId);
  if (job === null) return false;
  if (await makePieces(job, until, pageRows)) log.info('an export is ready');
  else await giveBack(job);
  return true;
}

async function makePieces(
  job: Job,
  until: AbortSignal | undefined,
  pageRows: number,
): Promise<boolean> {
  const source = sourceOf(job.source);
  const layout = layoutOf(job.profile, source.columns, job.frame);
  const scope: Scope<unknown> = {
    merchantId: job.merchantId,
    role: job.frame.role,
    filter: source.readFilter(job.filter),
    asOf: job.askedAt,
  };
  const made = new Date(job.askedAt);
  const opening = openingOf(layout, made);
  const begun = job.progress ?? BEGINNING;
  const digest = await digestSoFar(job, begun);
  // One piece is packed and stored while the next one is read and written.
  let storing = Promise.resolve(begun);
  if (!begun.ended) {
    for await (const { text, after } of piecesOf(source, scope, layout, begun, pageRows)) {
      const before = await storing;
      if (until?.aborted) return false;
      const bytes = Buffer.from(text, 'utf8');
      digest.update(bytes);
      storing = storePiece(job, before, bytes, after, opening.bytes);
      storing.catch(() => undefined);
    }
  }
  await keepLast(
    job,
    closing(layout, opening, await storing, digest.digest('hex'), made, job.askedAt),
  );
  return true;
}

const BEGINNING: Progress = {
  pieces: 0,
  rows: 0,
  place: null,
  ended: false,
  crc: 0,
  size: 0,
  packed: 0,
  sums: {},
};

async function storePiece(
  job: Job,
  before: Progress,
  bytes: Buffer,
  after: Piece['after'],
  opening: Buffer,
): Promise<Progress> {
  const packed = await packPiece(bytes);
  const progress = {
    ...after,
    pieces: before.pieces + 1,
    crc: crc32(bytes, before.crc),
    size: before.size + bytes.length,
    packed: before.packed + packed.length,
  };
  await keepPiece(job, progress, before.pieces === 0 ? [opening, packed] : [packed]);
  return progress;
}

type Piece = { text: string; after: Pick<Progress, 'rows' | 'place' | 'ended' | 'sums'> };

/** The rows as text, a page at a time; the next page is read while one is written. */
async function* piecesOf(
  source: Source,
  scope: Scope<unknown>,
  { rows: lines }: Layout,
  from: Progress,
  pageRows: number,
): AsyncGenerator<Piece> {
  let { rows, sums } = from;
  let text = from.pieces === 0 ? lines.head : '';
  let reading: Promise<RowPage> | null = source.page(
    scope,
    from.place,
    from.pieces === 0 ? Math.min(FIRST_ROWS, pageRows) : pageRows,
  );
  while (reading !== null) {
    const page: RowPage = await reading;
    reading = page.next === null ? null : source.page(scope, page.next, pageRows);
    reading?.catch(() => undefined);
    text += page.rows.map(lines.row).join('');
    sums = added(sums, page.rows, source);
    rows += page.rows.length;
    if (page.next === null) text += lines.tail;
    yield { text, after: { rows, place: page.next, ended: page.next === null, sums } };
    text = '';
  }
}

function added(before: Sums, rows: readonly Cells[], { sum, columns }: Source): Sums {
  const at = (key: string): number => columns.findIndex((column) => column.key === key);
  const [amount, currency] = [at(sum.amount), at(sum.currency)];
  const outcome = sum.part === undefined ? null : at(sum.part.column);
  const all: Record<string, Sums[string]> = structuredClone(before);
  for (const cells of rows) {
    const minor = BigInt(cells[amount] ?? 0);
    const own = (all[cells[currency] ?? ''] ??= { count: 0, minor: '0' });
    addTo(own, minor);
    if (outcome === null) continue;
    const parts = (own.parts ??= {});
    addTo((parts[sum.part!.of(cells[outcome] ?? '')] ??= { count: 0, minor: '0' }), minor);
  }
  return all;
}

function addTo(sum: Sum, minor: bigint): void {
  sum.count += 1;
  sum.minor = (BigInt(sum.minor) + minor).toString();
}

function closing(
  layout: Layout,
  opening: Opening,
  { crc, size, packed, rows, sums }: Progress,
  digest: string,
  made: Date,
  askedAt: string,
) {
  const entry: Entry = {
    name: layout.rows.name,
    at: opening.at,
    crc,
    size,
    packed: packed + TAIL_PACKED,
  };
  const parts = [entryTail(entry)];
  const entries = [...opening.entries, entry];
  let at = opening.bytes.length + packed + parts[0]!.length;
  for (const { name, text } of layout.after({
    askedAt,
    rows,
    sums,
    entry: layout.rows.name,
    digest,
  })) {
    const short = wholeEntry(name, text, at, made);
    entries.push(short.entry);
    parts.push(short.bytes);
    at += short.bytes.length;
  }
  parts.push(directory(entries, at, made));
  const bytes = Buffer.concat(parts);
  return { bytes, rows, sums, digest, size: opening.bytes.length + packed + bytes.length };
}

/** The state of a digest cannot be stored: it is recomputed from the stored pieces. */
async function digestSoFar(job: Job, { pieces }: Progress): Promise<Hash> {
  const digest = createHash('sha256');
  for (let n = 1; n <= pieces; n++) digest.update(await storedRows(job, n));
  return digest;
}
