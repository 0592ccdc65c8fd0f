import 'server-only';
import { createHash, createPublicKey, verify } from 'node:crypto';
import * as z from 'zod';

/**
 * A passkey's signature as it is stored, all in base64url. `publicKey`: the signer's key as SPKI.
 */
export type Assertion = {
  publicKey: string;
  authenticatorData: string;
  clientDataJson: string;
  signature: string;
};

const RP_HASH_BYTES = 32;
/** The person was present and was verified: by a fingerprint, a face or a PIN. */
const PRESENT_AND_VERIFIED = 0b101;
const clientData = z.object({
  type: z.literal('webauthn.get'),
  challenge: z.string(),
  origin: z.url(),
  crossOrigin: z.boolean().optional(),
});

/**
 * Whether a key of this relying party has signed exactly this challenge (hexadecimal), with its
 * owner verified. Uses no library but Node's, so that the worker does not depend on the code that
 * accepted the signature.
 */
export function isSignedBy(
  { publicKey, authenticatorData, clientDataJson, signature }: Assertion,
  { challenge, rpId }: { challenge: string; rpId: string },
): boolean {
  const [authenticator, client] = [bytes(authenticatorData), bytes(clientDataJson)];
  const read = clientData.safeParse(parsed(client.toString('utf8')));
  if (!read.success || read.data.crossOrigin === true) return false;
  if (read.data.challenge !== Buffer.from(challenge, 'hex').toString('base64url')) return false;
  if (!isOfParty(new URL(read.data.origin).hostname, rpId)) return false;
  const flags = authenticator[RP_HASH_BYTES] ?? 0;
  if (!authenticator.subarray(0, RP_HASH_BYTES).equals(sha256(Buffer.from(rpId)))) return false;
  if ((flags & PRESENT_AND_VERIFIED) !== PRESENT_AND_VERIFIED) return false;
  return isSignature(publicKey, Buffer.concat([authenticator, sha256(client)]), bytes(signature));
}

function isOfParty(host: string, rpId: string): boolean {
  return host === rpId || host.endsWith(`.${rpId}`);
}

function isSignature(spki: string, signed: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: bytes(spki), format: 'der', type: 'spki' });
    return verify('sha256', signed, key, signature);
  } catch {
    return false;
  }
}

function sha256(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

function bytes(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
