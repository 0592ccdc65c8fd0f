import 'server-only';
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import * as z from 'zod';
import { env } from '#lib/env.ts';
import { hashesMatch } from '#lib/secrets.ts';

const KEY_BYTES = 32;
const KEY_ID_CHARACTERS = 8;

/**
 * The chain's head at one moment: how many entries there were and the hash of the last. `mac` is HMAC-SHA256 over the line
 * without it, under a key made from DATA_KEY for this alone; `key` says which. Who owns the database can compute every hash of
 * a chain made anew, but not this.
 */
export type Checkpoint = { checkpoint: 'audit'; merchant: string; day: string; at: string; entries: number; head: string; key: string; mac: string };

const HEX_64 = /^[0-9a-f]{64}$/;
const shape = z.strictObject({
  checkpoint: z.literal('audit'), merchant: z.string(), day: z.string(), at: z.string(), entries: z.number().int().positive(),
  head: z.string().regex(HEX_64), key: z.string(), mac: z.string().regex(HEX_64),
});

/** One line of JSON, its fields in this order: the order is part of what is signed. `at` is an ISO instant, `day` the workspace's. */
export function checkpointLine({ merchant, day, at, entries, head }: Pick<Checkpoint, 'merchant' | 'day' | 'at' | 'entries' | 'head'>): string {
  const [key] = keys();
  const unsigned = { checkpoint: 'audit', merchant, day, at, entries, head, key: key!.id };
  return JSON.stringify({ ...unsigned, mac: macOf(JSON.stringify(unsigned), key!) });
}

/** `unknown_key`: signed under a key that this installation no longer holds; `forged`: not signed by us, or changed since. */
export function readCheckpoint(line: string): { kind: 'signed'; checkpoint: Checkpoint } | { kind: 'unknown_key'; checkpoint: Checkpoint } | { kind: 'forged' } {
  const read = shape.safeParse(parse(line));
  if (!read.success || JSON.stringify(read.data) !== line) return { kind: 'forged' };
  const { mac, ...unsigned } = read.data;
  const key = keys().find((one) => one.id === unsigned.key);
  if (!key) return { kind: 'unknown_key', checkpoint: read.data };
  return hashesMatch(mac, macOf(JSON.stringify(unsigned), key)) ? { kind: 'signed', checkpoint: read.data } : { kind: 'forged' };
}

/** Signs a text that is not a checkpoint: the digest of an export. */
export function sign(text: string): { key: string; mac: string } {
  const [key] = keys();
  return { key: key!.id, mac: macOf(text, key!) };
}

type Key = { id: string; bytes: Buffer };

/** The first signs; the others are still known while a key is being replaced. */
function keys(): Key[] {
  return env().dataKeys.map((dataKey) => {
    const bytes = Buffer.from(hkdfSync('sha256', dataKey, 'dashboard', 'audit-checkpoint', KEY_BYTES));
    return { id: createHash('sha256').update(bytes).digest('hex').slice(0, KEY_ID_CHARACTERS), bytes };
  });
}

function macOf(text: string, key: Key): string {
  return createHmac('sha256', key.bytes).update(text).digest('hex');
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
