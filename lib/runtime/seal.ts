import 'server-only';
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { env } from './env.ts';

const VERSION = 2;
/** Layout 1 had no key id. */
const VERSION_WITHOUT_KEY_ID = 1;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type SealPurpose = 'provider-token' | 'challenge-password' | 'webhook-secret';
export type HashPurpose = 'send-journal-payee';

/**
 * AES-256-GCM with a separate key per purpose, derived from the first key of DATA_KEY. `boundTo` is
 * the additional data: a sealed value moved to another row does not open. Layout: version (1 byte)
 * ‖ key id (4) ‖ iv (12) ‖ tag (16) ‖ cipher text.
 */
export function seal(purpose: SealPurpose, boundTo: string, text: string): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const key = newestKey(purpose);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Uint8Array.from(
    Buffer.concat([Buffer.of(VERSION), key.id, iv, cipher.getAuthTag(), sealed]),
  );
}

/**
 * Opens a value sealed with any key that is in DATA_KEY.
 *
 * @throws Error, always the same, when the value was altered, moved or sealed with a key that is
 * not in DATA_KEY
 */
export function unseal(purpose: SealPurpose, boundTo: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const hasKeyId = bytes[0] === VERSION;
  const body = bytes.subarray(1 + (hasKeyId ? KEY_ID_BYTES : 0));
  const fitting = keysFor(purpose).filter((key) =>
    hasKeyId
      ? key.id.equals(bytes.subarray(1, 1 + KEY_ID_BYTES))
      : bytes[0] === VERSION_WITHOUT_KEY_ID,
  );
  for (const key of fitting) {
    const text = open(key, boundTo, body);
    if (text !== null) return text;
  }
  throw new Error('a sealed value does not open');
}

/**
 * HMAC-SHA-256 of a text with each key of DATA_KEY, the newest first, as `<key id>:<hex>`. Values
 * are stored under the first; a search must try all, because a stored value may be older than the
 * newest key.
 */
export function keyedHashes(purpose: HashPurpose, text: string): [string, ...string[]] {
  const hashes = keysFor(purpose).map(
    ({ id, bytes }) =>
      `${id.toString('hex')}:${createHmac('sha256', bytes).update(text).digest('hex')}`,
  );
  return hashes as [string, ...string[]];
}

/**
 * The prefix of every value sealed with the newest key: values with another prefix must be resealed
 * before the old key is removed.
 */
export function newestPrefix(purpose: SealPurpose): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat([Buffer.of(VERSION), newestKey(purpose).id]));
}

function open(key: Key, boundTo: string, body: Buffer): string | null {
  const [iv, tag, text] = [
    body.subarray(0, IV_BYTES),
    body.subarray(IV_BYTES, IV_BYTES + TAG_BYTES),
    body.subarray(IV_BYTES + TAG_BYTES),
  ];
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(boundTo))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/**
 * Bytes for one purpose from each key of DATA_KEY, the newest first: the same as long as the key is
 * there, and not to be guessed from any other purpose's.
 */
export function derivedBytes(what: string, bytes: number): Buffer[] {
  return env().dataKeys.map((dataKey) => derive(dataKey, `derived/${what}`, bytes));
}

type Key = { id: Buffer; bytes: Buffer };
const made = new Map<SealPurpose | HashPurpose, Key[]>();

function newestKey(purpose: SealPurpose): Key {
  return keysFor(purpose)[0]!;
}

function keysFor(purpose: SealPurpose | HashPurpose): Key[] {
  const known =
    made.get(purpose) ??
    env().dataKeys.map((dataKey) => ({
      id: derive(dataKey, `${purpose}/id`, KEY_ID_BYTES),
      bytes: derive(dataKey, purpose, 32),
    }));
  made.set(purpose, known);
  return known;
}

function derive(dataKey: string, what: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, 'dashboard', what, bytes));
}
