import 'server-only';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import { readHead, readLinks } from './links.ts';
import { BEGINNING, brokenLinks } from './verify.ts';
import type { BrokenLink } from './verify.ts';

const BATCH = 1_000;

/** A sequence number and the hash of that entry: all entries up to it have been recomputed. */
export type Verified = { seq: bigint; hash: Uint8Array };
export const NOTHING_VERIFIED: Verified = { seq: 0n, hash: BEGINNING };

/**
 * `tail`: the head names an entry that is missing; `checkpoint`: a signed checkpoint does not match
 * the entry now in the chain.
 */
export type BrokenChain = { seq: string; why: BrokenLink['why'] | 'tail' | 'checkpoint' };

/**
 * Recomputes the chain from `from` to the current head, a batch at a time. `broken` is null when
 * the chain is intact up to that head.
 */
export async function checkChain(
  merchantId: string,
  from: Verified,
): Promise<{ verified: Verified; broken: BrokenChain | null }> {
  const head = await inTransaction(merchantId, readHead);
  const upTo = head?.seq ?? 0n;
  let verified = from;
  while (verified.seq < upTo) {
    const links = await inTransaction(merchantId, (tx) =>
      readLinks(tx, sql`e.seq > ${verified.seq} AND e.seq <= ${upTo}`, 'ASC', BATCH),
    );
    const [first] = links;
    if (!first) return { verified, broken: { seq: (verified.seq + 1n).toString(), why: 'tail' } };
    // Entries verified earlier may have been removed since: the first link must follow `from`
    // exactly.
    const follows =
      first.seq === verified.seq + 1n && Buffer.compare(first.prevHash, verified.hash) === 0;
    const broken = follows
      ? brokenLinks(links)[0]
      : { seq: first.seq.toString(), why: 'order' as const };
    if (broken) return { verified, broken };
    verified = links.at(-1)!;
  }
  const holds =
    head === null
      ? verified.seq === 0n
      : verified.seq === head.seq && Buffer.compare(verified.hash, head.hash) === 0;
  return { verified, broken: holds ? null : { seq: verified.seq.toString(), why: 'tail' } };
}
