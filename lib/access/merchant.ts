import 'server-only';
import { createHash } from 'node:crypto';
import { inTransaction } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';

/**
 * One installation serves one merchant: the one with the configured merchant key. The row's id is
 * derived from the key, so that every process has the same merchant id before anybody has signed
 * in.
 */
export function merchantId(): string {
  return merchantIdOf(env().merchantKey);
}

/** A UUID made from the key (version 8: custom), stable across processes and restarts. */
export function merchantIdOf(merchantKey: string): string {
  const hex = fingerprint(merchantKey);
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

let ensured: Promise<void> | undefined;

/**
 * Creates the merchant's row and, in the sandbox, its five demo users. Once per process, retried
 * after a failure.
 */
export function ensureMerchant(): Promise<void> {
  ensured ??= makeMerchant().catch((error: unknown) => {
    ensured = undefined;
    throw error;
  });
  return ensured;
}

async function makeMerchant(): Promise<void> {
  const id = merchantId();
  await inTransaction(id, async (tx) => {
    await tx.$executeRaw`INSERT INTO merchants (id, key_fingerprint, name)
      VALUES (${id}::uuid, ${fingerprint(env().merchantKey)}, 'Merchant') ON CONFLICT DO NOTHING`;
    if (!env().sandboxOn) return;
    for (const person of DEMO_PEOPLE) {
      await tx.$executeRaw`INSERT INTO people (merchant_id, email, name, role)
        VALUES (${id}::uuid, ${person.email}, ${person.name}, ${person.role}) ON CONFLICT DO NOTHING`;
    }
  });
}

/**
 * The roles of the sandbox's users, under the names that the sandbox has for them; their passwords are
 * stored there.
 */
export const DEMO_PEOPLE = [
  { email: 'ayse@demo.test', name: 'Ayşe Toprak', role: 'clerk' },
  { email: 'mehmet@demo.test', name: 'Mehmet Kaya', role: 'approver' },
  { email: 'selin@demo.test', name: 'Selin Arslan', role: 'owner' },
  { email: 'can@demo.test', name: 'Can Yıldız', role: 'support' },
  { email: 'deniz@demo.test', name: 'Deniz Öztürk', role: 'auditor' },
];

function fingerprint(merchantKey: string): string {
  return createHash('sha256').update(merchantKey).digest('hex');
}
