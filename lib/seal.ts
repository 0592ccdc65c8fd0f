import 'server-only';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { env } from '#lib/env.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export type SealPurpose = 'provider-token' | 'challenge-password';

/**
 * AES-256-GCM with a key of its own per purpose. `boundTo` is the additional data: a sealed value moved to another row does
 * not open. Layout: version (1 byte) ‖ iv ‖ tag ‖ cipher text.
 */
export function seal(purpose: SealPurpose, boundTo: string, text: string): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Uint8Array.from(Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), sealed]));
}

/** @throws Error when the value was altered, moved or sealed with another key: one error for all. */
export function unseal(purpose: SealPurpose, boundTo: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  if (bytes[0] !== VERSION) throw new Error('a sealed value does not open');
  const iv = bytes.subarray(1, 1 + IV_BYTES);
  const tag = bytes.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), iv).setAAD(Buffer.from(boundTo)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(1 + IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    throw new Error('a sealed value does not open');
  }
}

const VERSION = 1;
const keys = new Map<SealPurpose, Buffer>();

function keyFor(purpose: SealPurpose): Buffer {
  let key = keys.get(purpose);
  if (!key) keys.set(purpose, (key = Buffer.from(hkdfSync('sha256', env().dataKey, 'dashboard', purpose, 32))));
  return key;
}
