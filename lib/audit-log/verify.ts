import 'server-only';
import { createHash } from 'node:crypto';

/** A link of the chain as the table holds it, and the hash of the link before it as the table holds that. */
export type Link = { seq: bigint; body: string; prevHash: Uint8Array; hash: Uint8Array; at: Date; hashBefore: Uint8Array | null };

/** What a link can be wrong about: its content, its place, or the columns beside its content. */
export type BrokenLink = { seq: string; why: 'content' | 'order' | 'columns' };

/** Before the first link stands the hash of nothing. */
const BEGINNING = createHash('sha256').digest();

/**
 * Computes each link anew: hash = SHA-256(hash before ‖ body), the hash before is that of the entry numbered one less, and the
 * body carries the row's own number and time. Links need not follow one another. Returns those that do not hold.
 */
export function brokenLinks(links: readonly Link[]): BrokenLink[] {
  return links.flatMap((link): BrokenLink[] => {
    const seq = link.seq.toString();
    const computed = createHash('sha256').update(link.prevHash).update(link.body, 'utf8').digest();
    if (!computed.equals(link.hash)) return [{ seq, why: 'content' }];
    const before = link.seq === 1n ? BEGINNING : link.hashBefore;
    if (before === null || Buffer.compare(before, link.prevHash) !== 0) return [{ seq, why: 'order' }];
    return saysItself(link) ? [] : [{ seq, why: 'columns' }];
  });
}

/** The columns are only for searching; what is true is the body. */
function saysItself(link: Link): boolean {
  try {
    const { seq, at } = JSON.parse(link.body) as { seq: unknown; at: unknown };
    return String(seq) === link.seq.toString() && typeof at === 'string' && Date.parse(at) === link.at.getTime();
  } catch {
    return false;
  }
}
