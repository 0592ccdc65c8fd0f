import 'server-only';
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { readDecimal } from '#lib/values/money.ts';

/**
 * The hash key of the card gateway (`contract`, "Authentication" 3): fields joined with the pipe,
 * AES-256-CBC, and `iv:salt:base64` with every slash written as two underscores. Each operation's
 * file names the fields in it (provider-facts 1.5).
 *
 * It is encryption without a MAC: a hash key that decrypts is not therefore genuine. A matching
 * hash is one source; the gateway's own record (`checkstatus`) decides.
 */

const CIPHER = 'aes-256-cbc';
const IV_CHARACTERS = 16;
const SALT_CHARACTERS = 4;
/** The cipher takes 32 of the 64 hexadecimal characters, as text (`published`). */
const KEY_CHARACTERS = 32;
/** The maximum length of a hash key that is decrypted: longer than any that the gateway makes. */
const HASH_KEY_MAX = 2_048;
const SEPARATOR = '|';

const HASH_KEY = /^([0-9a-f]{16}):([0-9a-f]{4}):([A-Za-z0-9+/]+={0,2})$/i;

/** Fixed in tests only; each request uses fresh values. */
export type Randomness = { iv: string; salt: string };

/** @throws RangeError when a part contains a pipe: two different requests would share a hash. */
export function makeHashKey(
  appSecret: string,
  parts: readonly string[],
  random: Randomness = freshRandomness(),
): string {
  if (parts.some((part) => part.includes(SEPARATOR)))
    throw new RangeError('a part of a hash key contains a pipe');
  const cipher = createCipheriv(
    CIPHER,
    keyOf(appSecret, random.salt),
    Buffer.from(random.iv, 'latin1'),
  );
  const encrypted = Buffer.concat([
    cipher.update(parts.join(SEPARATOR), 'utf8'),
    cipher.final(),
  ]).toString('base64');
  return `${random.iv}:${random.salt}:${encrypted}`.replaceAll('/', '__');
}

/**
 * What one part of a gateway's hash key must be: an exact text, an amount by its value ("10",
 * "10.00"), or anything (null).
 */
export type ExpectedPart = string | { readonly amountMinor: bigint } | null;

/**
 * Whether a hash key of the gateway decrypts to exactly these parts. An undecryptable, a malformed
 * and a disagreeing hash key all give the same `false`, so that trying does not reveal which it
 * was. Never throws.
 */
export function hashKeyAgrees(
  appSecret: string,
  hashKey: unknown,
  expected: readonly ExpectedPart[],
): boolean {
  const parts = readHashKey(appSecret, hashKey);
  // Compare all parts even after a difference, so that timing does not reveal which one differs.
  const agreeing = expected.filter((part, index) => partAgrees(part, parts?.[index] ?? ''));
  return parts !== null && parts.length === expected.length && agreeing.length === expected.length;
}

/**
 * Whether a hash key of the gateway decrypts and contains this part, for webhooks whose hash
 * composition is not published. Never throws.
 */
export function hashKeyHolds(appSecret: string, hashKey: unknown, part: string): boolean {
  const parts = readHashKey(appSecret, hashKey) ?? [];
  return parts.length > 1 && parts.filter((one) => partAgrees(part, one)).length > 0;
}

/**
 * The parts of a hash key; null for any unreadable one, without a reason. A readable hash key is
 * not therefore genuine. Never throws.
 */
export function readHashKey(appSecret: string, hashKey: unknown): string[] | null {
  if (typeof hashKey !== 'string' || hashKey.length > HASH_KEY_MAX) return null;
  const match = HASH_KEY.exec(hashKey.replaceAll('__', '/'));
  if (match === null) return null;
  const [, iv = '', salt = '', encrypted = ''] = match;
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(appSecret, salt), Buffer.from(iv, 'latin1'));
    const bytes = Buffer.concat([decipher.update(encrypted, 'base64'), decipher.final()]);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).split(SEPARATOR);
  } catch {
    return null;
  }
}

function partAgrees(expected: ExpectedPart, part: string): boolean {
  if (expected === null) return true;
  if (typeof expected !== 'string') return readDecimal(part) === expected.amountMinor;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(part));
}

/**
 * password = SHA-1 of the secret, key = SHA-256 of password and salt, both as lower-case
 * hexadecimal text (`contract`).
 */
function keyOf(appSecret: string, salt: string): Buffer {
  const password = createHash('sha1').update(appSecret, 'utf8').digest('hex');
  const key = createHash('sha256')
    .update(password + salt, 'latin1')
    .digest('hex');
  return Buffer.from(key.slice(0, KEY_CHARACTERS), 'latin1');
}

function freshRandomness(): Randomness {
  return {
    iv: randomBytes(IV_CHARACTERS / 2).toString('hex'),
    salt: randomBytes(SALT_CHARACTERS / 2).toString('hex'),
  };
}
