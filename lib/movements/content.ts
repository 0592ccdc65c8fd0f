import 'server-only';
import { createHash, randomBytes } from 'node:crypto';
import { contentText } from './content-text.ts';
import type { MovementContent } from './content-text.ts';

const EXT_ID_CHARACTERS = 20;
/** Crockford's alphabet: no I, L, O, U, so that a reference read over the phone is typed right. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Our reference, sent as `ext_transaction_id`: 100 random bits, made once per intent by the server
 * (docs/money-rules.md, I2).
 */
export function newExtId(): string {
  return Array.from(randomBytes(EXT_ID_CHARACTERS), (byte) => ALPHABET[byte & 31]).join('');
}

/**
 * SHA-256 over kind and content; approvals sign it, and a second submit of the same id must match
 * it.
 */
export function contentHash(kind: string, content: MovementContent): string {
  return createHash('sha256').update(contentText(kind, content)).digest('hex');
}
