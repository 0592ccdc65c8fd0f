import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { unseal } from '#lib/runtime/seal.ts';

/**
 * The provider's token for this person, from the start of this session. It expires before the
 * session does, so that callers must expect a 401; then only a new sign-in helps. Null when there
 * is none, or when the key that encrypted it is gone.
 */
export async function providerToken(actor: Person): Promise<string | null> {
  const [row] = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<{ provider_sealed: Uint8Array | null }[]>`
    SELECT provider_sealed FROM sessions WHERE id = ${actor.sessionId}::uuid
      AND person_id = ${actor.personId}::uuid AND revoked_at IS NULL`,
  );
  try {
    return row?.provider_sealed
      ? unseal('provider-token', actor.sessionId, row.provider_sealed)
      : null;
  } catch {
    return null;
  }
}
