/**
 * Which database transactions a reading saw, as PostgreSQL prints a snapshot: `first:next:open,…`.
 * Transactions below `first` were over, those from `next` on had not begun, and those in `open` were
 * still open. Pure: the server and the pages compare with it, so no clock decides what a page shows.
 */
type Snapshot = { next: bigint; open: readonly bigint[] };

const PRINTED = /^\d{1,20}:(\d{1,20}):((?:\d{1,20}(?:,\d{1,20})*)?)$/;
const CHARACTERS_MAX = 2_000;

/** Whether `text` is a printed snapshot. It may come from the address of a request. */
export function isSnapshot(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.length <= CHARACTERS_MAX && PRINTED.test(text);
}

/** Whether a reading at `snapshot` saw what the transaction `tx` wrote. Throws on a bad snapshot. */
export function saw(snapshot: string, tx: string): boolean {
  return sees(parsed(snapshot), BigInt(tx));
}

/** Whether a reading at `later` saw every transaction that a reading at `earlier` saw. */
export function sawAllOf(later: string, earlier: string): boolean {
  const [l, e] = [parsed(later), parsed(earlier)];
  // Those that only `earlier` knows to have begun must all have been open then.
  const begunBetween = e.open.filter((tx) => tx >= l.next).length;
  if (e.next > l.next && e.next - l.next !== BigInt(begunBetween)) return false;
  return l.open.every((tx) => !sees(e, tx));
}

function sees({ next, open }: Snapshot, tx: bigint): boolean {
  return tx < next && !open.includes(tx);
}

function parsed(text: string): Snapshot {
  const [, next, open] = PRINTED.exec(text) ?? [];
  if (next === undefined || open === undefined) throw new Error('not a snapshot');
  return { next: BigInt(next), open: open === '' ? [] : open.split(',').map(BigInt) };
}
