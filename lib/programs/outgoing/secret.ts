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
