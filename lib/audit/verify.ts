import 'server-only';
import { createHash } from 'node:crypto';

/** Personal values by field, as stored beside the chain; erased ones are missing. */
export type PersonalValues = Record<string, { value: string; salt: string }>;

/** A link of the chain and the hash of the previous link, both as stored. */
export type Link = {
  seq: bigint;
  body: string;
  prevHash: Uint8Array;
  hash: Uint8Array;
  at: Date;
  hashBefore: Uint8Array | null;
  personal: PersonalValues;
};

/**
 * Why a link is broken: its content, its position, the columns beside its content, or the personal
 * values that it commits to.
 */
export type BrokenLink = { seq: string; why: 'content' | 'order' | 'columns' | 'personal' };

/** The first link's previous hash: the hash of empty input. */
export const BEGINNING = createHash('sha256').digest();

/**
 * Recomputes each link: hash = SHA-256(previous hash ‖ body), the previous hash is that of the
 * entry with the preceding number, and the body carries the row's own number and time and a
 * commitment to every personal value beside it. The links need not be contiguous. Returns the
 * broken ones.
 */
export function brokenLinks(links: readonly Link[]): BrokenLink[] {
  return links.flatMap((link): BrokenLink[] => {
    const seq = link.seq.toString();
    const computed = createHash('sha256').update(link.prevHash).update(link.body, 'utf8').digest();
    if (!computed.equals(link.hash)) return [{ seq, why: 'content' }];
    const before = link.seq === 1n ? BEGINNING : link.hashBefore;
    if (before === null || Buffer.compare(before, link.prevHash) !== 0)
      return [{ seq, why: 'order' }];
    const body = read(link.body);
    // The columns are only for searching; the body is authoritative.
    if (
      String(body.seq) !== seq ||
      typeof body.at !== 'string' ||
      Date.parse(body.at) !== link.at.getTime()
    )
      return [{ seq, why: 'columns' }];
    const kept = Object.entries(link.personal).every(
      ([field, { value, salt }]) => body.personal?.[field] === commitment(field, value, salt),
    );
    return kept ? [] : [{ seq, why: 'personal' }];
  });
}

/**
 * SHA-256(salt ‖ field=value) in hex. The salt of 32 random bytes prevents guessing the value from
 * the hash.
 */
function commitment(field: string, value: string, saltHex: string): string {
  return createHash('sha256')
    .update(saltHex, 'hex')
    .update(`${field}=${value}`, 'utf8')
    .digest('hex');
}

function read(body: string): { seq?: unknown; at?: unknown; personal?: Record<string, unknown> } {
  try {
    return JSON.parse(body) as ReturnType<typeof read>;
  } catch {
    return {};
  }
}
