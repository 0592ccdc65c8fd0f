import 'server-only';
import { createHash, randomBytes } from 'node:crypto';

/** An API key as a program sends it: `pd_` and 256 random bits. Only its SHA-256 is stored. */

const MARK = 'pd_';
const SECRET_BYTES = 32;
const SHOWN = MARK.length + 6;

export function newSecret(): { secret: string; prefix: string; hash: Buffer } {
  const secret = `${MARK}${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { secret, prefix: secret.slice(0, SHOWN), hash: hashOf(secret) };
}

/** The stored form. A fast hash is enough: nobody can try 2^256 keys. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
