import { HOOK_KINDS } from '../card-api/hook-keys.ts';
import type { World } from '../world.ts';

/**
 * Registers the demo merchant's webhook keys: sale_hook, recurring_hook, refund_hook,
 * cashout_reverse_hook, chargeback_hook. Returns false when the registry already has keys.
 */
export function seedHookKeys(world: World): boolean {
  if (world.store.get('SELECT 1 AS hit FROM hook_keys')) return false;
  for (const kind of HOOK_KINDS)
    world.store.run(
      'INSERT INTO hook_keys (key, kind, url) VALUES (?, ?, NULL)',
      `${kind}_hook`,
      kind,
    );
  return true;
}
