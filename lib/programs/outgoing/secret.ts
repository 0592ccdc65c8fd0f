import 'server-only';
import { createHmac, randomBytes } from 'node:crypto';
import { seal, unseal } from '#lib/runtime/seal.ts';

/** The secret of the endpoint, in the form of Standard Webhooks: `whsec_` and 256 bits in base64. */

const MARK = 'whsec_';
const SECRET_BYTES = 32;
const PURPOSE = 'webhook-secret';

export function newWebhookSecret(): string {
  return `${MARK}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Several secrets are sealed as one text. */
export function sealSecrets(
  merchantId: string,
  secrets: readonly string[],
): Uint8Array<ArrayBuffer> {
  return seal(PURPOSE, merchantId, secrets.join(' '));
}

export function openSecrets(merchantId: string, sealed: Uint8Array): string[] {
  return textsOf(merchantId, sealed).filter((text) => text.startsWith(MARK));
}

/** A former secret, and until when it signs, in milliseconds. */
export type FormerSecret = { secret: string; until: number };

/** Their ends stand behind the secrets, where a version that knows no ends signs with them in vain. */
const ENDS = 'ends:';

export function sealFormer(
  merchantId: string,
  former: readonly FormerSecret[],
): Uint8Array<ArrayBuffer> {
  const ends = `${ENDS}${former.map(({ until }) => until).join(',')}`;
  return sealSecrets(merchantId, [...former.map(({ secret }) => secret), ends]);
}

/** `until`: of secrets that were sealed without ends of their own. */
export function openFormer(merchantId: string, sealed: Uint8Array, until: Date): FormerSecret[] {
  const secrets = openSecrets(merchantId, sealed);
  const stored = textsOf(merchantId, sealed).find((text) => text.startsWith(ENDS));
  const ends = stored?.slice(ENDS.length).split(',').map(Number) ?? [];
  return secrets.map((secret, index) => ({
    secret,
    until: ends.length === secrets.length ? ends[index]! : until.getTime(),
  }));
}

/** The same secrets with the same ends, sealed with the newest key. */
export function sealAnew(merchantId: string, sealed: Uint8Array): Uint8Array<ArrayBuffer> {
  return sealSecrets(merchantId, textsOf(merchantId, sealed));
}

function textsOf(merchantId: string, sealed: Uint8Array): string[] {
  return unseal(PURPOSE, merchantId, sealed).split(' ');
}

/**
 * The signature headers of one message (standardwebhooks.com): HMAC-SHA-256 over id, time and body.
 * Each secret that counts signs, so that a receiver may change over during a day.
 */
export function signatureHeaders(
  { id, seconds, body }: { id: string; seconds: number; body: string },
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const signed = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(MARK.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signed.join(' '),
  };
}
