import 'server-only';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import { readHead, readLinks } from './links.ts';
import { BEGINNING, brokenLinks } from './verify.ts';
import type { BrokenLink, Link } from './verify.ts';

const BATCH = 1_000;
const BREAKS_KEPT = 100;

/** A sequence number and the hash of that entry: all entries up to it have been recomputed. */
export type Verified = { seq: bigint; hash: Uint8Array };
export const NOTHING_VERIFIED: Verified = { seq: 0n, hash: BEGINNING };

/**
 * `tail`: the head names an entry that is missing; `checkpoint`: a signed checkpoint does not match
 * the entry now in the chain.
 */
export type BrokenChain = { seq: string; why: BrokenLink['why'] | 'tail' | 'checkpoint' };

/** The breaks of a chain: the first hundred, and how many there are in all. */
export type Breaks = { first: BrokenChain[]; count: number };
export const NO_BREAKS: Breaks = { first: [], count: 0 };

export function withMoreBreaks({ first, count }: Breaks, more: readonly BrokenChain[]): Breaks {
  return { first: [...first, ...more].slice(0, BREAKS_KEPT), count: count + more.length };
}

/**
 * Recomputes the chain from `from` to the current head, a batch at a time. After a broken entry it
 * goes on with the hash that is stored there, so that one break does not hide a later one.
 */
export async function checkChain(
  merchantId: string,
  from: Verified,
): Promise<{ verified: Verified; breaks: Breaks }> {
  const head = await inTransaction(merchantId, readHead);
  const upTo = head?.seq ?? 0n;
  let verified = from;
  let breaks = NO_BREAKS;
  while (verified.seq < upTo) {
    const links = await inTransaction(merchantId, (tx) =>
      readLinks(tx, sql`e.seq > ${verified.seq} AND e.seq <= ${upTo}`, 'ASC', BATCH),
    );
    const [first] = links;
    if (!first) break;
    breaks = withMoreBreaks(breaks, brokenAfter(verified, first, links));
    verified = links.at(-1)!;
  }
  const tail = cutTail(verified, head);
  return { verified, breaks: tail === null ? breaks : withMoreBreaks(breaks, [tail]) };
}

/**
 * The broken ones of the links that were read after `verified`. Entries verified earlier may have
 * been removed since: the first link must follow `verified` exactly.
 */
function brokenAfter(verified: Verified, first: Link, links: readonly Link[]): BrokenChain[] {
  const broken = brokenLinks(links);
  const follows =
    first.seq === verified.seq + 1n && Buffer.compare(first.prevHash, verified.hash) === 0;
  if (follows) return broken;
  const seq = first.seq.toString();
  return [{ seq, why: 'order' }, ...broken.filter((one) => one.seq !== seq)];
}

/** The break at the end of a chain that does not end at its head. */
function cutTail(verified: Verified, head: Verified | null): BrokenChain | null {
  if (head !== null && verified.seq < head.seq)
    return { seq: (verified.seq + 1n).toString(), why: 'tail' };
  const holds =
    head === null
      ? verified.seq === 0n
      : verified.seq === head.seq && Buffer.compare(verified.hash, head.hash) === 0;
  return holds ? null : { seq: verified.seq.toString(), why: 'tail' };
}
