import 'server-only';
import { createHash } from 'node:crypto';

/** Personal values by field, as they lie beside the chain; one that was erased is not there. */
export type PersonalValues = Record<string, { value: string; salt: string }>;

/**
 * A link of the chain as the table holds it, and the hash of the link before it as the table holds
 * that.
 */
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
 * What a link can be wrong about: its content, its place, the columns beside its content, or the
 * personal values it commits to.
 */
export type BrokenLink = { seq: string; why: 'content' | 'order' | 'columns' | 'personal' };

/** Before the first link stands the hash of nothing. */
export const BEGINNING = createHash('sha256').digest();

/**
 * Computes each link anew: hash = SHA-256(hash before ‖ body), the hash before is that of the entry
 * numbered one less, and the body carries the row's own number and time and a commitment to every
 * personal value beside it. Links need not follow one another. Returns those that do not hold.
 */
export function brokenLinks(links: readonly Link[]): BrokenLink[] {
  return links.flatMap((link): BrokenLink[] => {
    const seq = link.seq.toString();
    const computed = createHash('sha256').update(link.prevHash).update(link.body, 'utf8').digest();
    if (!computed.equals(link.hash)) return [{ seq, why: 'content' }];
    const before = link.seq === 1n ? BEGINNING : link.hashBefore;
    if (before === null || Buffer.compare(before, link.prevHash) !== 0)
      return [{ seq, why: 'order' }];
    const said = read(link.body);
    // The columns are only for searching; what is true is the body.
    if (
      String(said.seq) !== seq ||
      typeof said.at !== 'string' ||
      Date.parse(said.at) !== link.at.getTime()
    )
      return [{ seq, why: 'columns' }];
    const kept = Object.entries(link.personal).every(
      ([field, { value, salt }]) => said.personal?.[field] === commitment(field, value, salt),
    );
    return kept ? [] : [{ seq, why: 'personal' }];
  });
}

/**
 * SHA-256(salt ‖ field=value) in hex: without the salt, 32 random bytes, nobody can try out what
 * the value was.
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
