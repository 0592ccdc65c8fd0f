import { text } from '../store.ts';
import type { World } from '../world.ts';

/** The registry of webhook keys in the merchant panel: each has a name, a kind and an address. */

export const HOOK_KINDS = ['sale', 'recurring', 'refund', 'cashout_reverse', 'chargeback'] as const;
export type HookKind = (typeof HOOK_KINDS)[number];

/**
 * Returns the address of a key: null means the sandbox's usual one, undefined means not registered.
 */
export function hookUrl(world: World, key: string, kind: HookKind): string | null | undefined {
  const row = world.store.get('SELECT url FROM hook_keys WHERE key = ? AND kind = ?', key, kind);
  if (!row) return undefined;
  return row.url === null ? null : text(row.url);
}
