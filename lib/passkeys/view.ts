import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { keysOf } from './keys.ts';
import { relyingParty } from './party.ts';

/** A person's own keys. JSON-safe; times ISO. */
export type PasskeysView = {
  /** False at an address for which browsers make no keys. */
  canAdd: boolean;
  keys: {
    id: string;
    label: string;
    address: string;
    addedAt: string;
    lastUsedAt: string | null;
  }[];
};

export async function viewPasskeys(actor: Person): Promise<PasskeysView> {
  const keys = await inTransaction(actor.merchantId, (tx) => keysOf(tx, actor.personId));
  return {
    canAdd: relyingParty() !== null,
    keys: keys.map((key) => ({
      id: key.id,
      label: key.label,
      address: key.rp_id,
      addedAt: key.added_at.toISOString(),
      lastUsedAt: key.last_used_at?.toISOString() ?? null,
    })),
  };
}
