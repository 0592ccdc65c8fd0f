import 'server-only';
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  sign as signBytes,
  verify,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import * as z from 'zod';
import { env } from '#lib/runtime/env.ts';
import { hashesMatch } from '#lib/runtime/secrets.ts';

const KEY_BYTES = 32;
/** The prefix that makes a PKCS #8 key (RFC 8410) of the 32 bytes of a private Ed25519 key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The chain's head at one moment: the number of entries and the hash of the last one. `signature`
 * is Ed25519 over the line without it; `key` is the matching public key, so that anybody with the
 * key can verify and only this installation can sign. The database owner can recompute every hash
 * of a rebuilt chain, but cannot sign it.
 */
export type Checkpoint = {
  checkpoint: 'audit';
  merchant: string;
  day: string;
  at: string;
  entries: number;
  head: string;
};

const HEX_64 = /^[0-9a-f]{64}$/;
const fields = {
  checkpoint: z.literal('audit'),
  merchant: z.string(),
  day: z.string(),
  at: z.string(),
  entries: z.number().int().positive(),
  head: z.string().regex(HEX_64),
  key: z.string(),
};
const shape = z.strictObject({ ...fields, signature: z.string().regex(/^[0-9a-f]{128}$/) });
/**
 * Checkpoints from before the switch to public keys: an HMAC, whose secret could sign as well as
 * verify.
 */
const olderShape = z.strictObject({ ...fields, mac: z.string().regex(HEX_64) });

/**
 * One line of JSON. The order of its fields is part of what is signed. `at` is an ISO instant,
 * `day` a day in the workspace's time zone.
 */
export function checkpointLine({
  merchant,
  day,
  at,
  entries,
  head,
}: Pick<Checkpoint, 'merchant' | 'day' | 'at' | 'entries' | 'head'>): string {
  const [dataKey] = env().dataKeys;
  const key = signatureKey(dataKey!);
  const unsigned = { checkpoint: 'audit', merchant, day, at, entries, head, key: key.public };
  return JSON.stringify({ ...unsigned, signature: signatureOf(JSON.stringify(unsigned), key) });
}

/**
 * `unknown_key`: signed under a key that this installation no longer has; `forged`: not signed by
 * this installation, or changed afterwards.
 */
export function readCheckpoint(
  line: string,
): { kind: 'signed' | 'unknown_key'; checkpoint: Checkpoint } | { kind: 'forged' } {
  const read = z.union([shape, olderShape]).safeParse(parse(line));
  if (!read.success || JSON.stringify(read.data) !== line) return { kind: 'forged' };
  const held = 'signature' in read.data ? isSigned(read.data) : isOlder(read.data);
  if (held === false) return { kind: 'forged' };
  return { kind: held === null ? 'unknown_key' : 'signed', checkpoint: read.data };
}

/** Signs a text that is not a checkpoint: the digest of an export. */
export function sign(text: string): { key: string; signature: string } {
  const [dataKey] = env().dataKeys;
  const key = signatureKey(dataKey!);
  return { key: key.public, signature: signatureOf(text, key) };
}

/**
 * Whether the signature of a checkpoint is valid; null when the checkpoint was signed under a key
 * that this installation does not have.
 */
function isSigned({ signature, ...unsigned }: z.infer<typeof shape>): boolean | null {
  const key = env()
    .dataKeys.map(signatureKey)
    .find((one) => one.public === unsigned.key);
  return key
    ? verify(
        null,
        Buffer.from(JSON.stringify(unsigned)),
        createPublicKey(key.private),
        Buffer.from(signature, 'hex'),
      )
    : null;
}

function isOlder({ mac, ...unsigned }: z.infer<typeof olderShape>): boolean | null {
  const key = env()
    .dataKeys.map((dataKey) => derive(dataKey, 'audit-checkpoint'))
    .find(
      (one) =>
        createHash('sha256').update(one).digest('hex').startsWith(unsigned.key) &&
        unsigned.key.length === 8,
    );
  return key
    ? hashesMatch(mac, createHmac('sha256', key).update(JSON.stringify(unsigned)).digest('hex'))
    : null;
}

type SignatureKey = { private: KeyObject; /** Hexadecimal. */ public: string };

/** The first key of DATA_KEY signs; the others are still accepted while a key is being rotated. */
function signatureKey(dataKey: string): SignatureKey {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, derive(dataKey, 'audit-signature')]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    private: key,
    public: Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url').toString(
      'hex',
    ),
  };
}

function signatureOf(text: string, key: SignatureKey): string {
  return signBytes(null, Buffer.from(text), key.private).toString('hex');
}

function derive(dataKey: string, what: string): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, 'dashboard', what, KEY_BYTES));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
