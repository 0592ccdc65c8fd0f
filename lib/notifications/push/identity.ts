import 'server-only';
import { createECDH } from 'node:crypto';
import { derivedBytes } from '#lib/runtime/seal.ts';

/**
 * The key pair by which push services know this installation (VAPID), in base64url: an uncompressed
 * point of P-256 and its scalar.
 */
export type PushIdentity = { publicKey: string; privateKey: string };

const SCALAR_BYTES = 32;

/**
 * One pair for each key of DATA_KEY, the newest first. A browser's subscription belongs to one of
 * them: that of an old key works until that key is removed from DATA_KEY.
 */
export function pushIdentities(): [PushIdentity, ...PushIdentity[]] {
  const pairs = derivedBytes('push-identity', SCALAR_BYTES).map((scalar) => {
    const ecdh = createECDH('prime256v1');
    // Throws for a scalar outside the curve's order: one in 2^32 keys, and never silently.
    ecdh.setPrivateKey(scalar);
    return {
      publicKey: ecdh.getPublicKey('base64url', 'uncompressed'),
      privateKey: scalar.toString('base64url'),
    };
  });
  return pairs as [PushIdentity, ...PushIdentity[]];
}
