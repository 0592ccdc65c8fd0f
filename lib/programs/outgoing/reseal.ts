import 'server-only';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { newestPrefix } from '#lib/runtime/seal.ts';
import { sealAnew } from './secret.ts';

/**
 * Seals the endpoint's secret with the newest key of DATA_KEY, and forgets a former secret that
 * signs no more. Afterwards nothing here depends on an old key.
 */
export async function resealEndpoint(merchantId: string): Promise<void> {
  const newest = Buffer.from(newestPrefix('webhook-secret'));
  await inTransaction(merchantId, async (tx) => {
    await tx.$executeRaw`
      UPDATE api_endpoints SET old_secret_sealed = NULL, old_until = NULL
      WHERE old_until < clock_timestamp()`;
    const [row] = await tx.$queryRaw<
      Row<'api_endpoints', 'secret_sealed' | 'old_secret_sealed'>[]
    >`SELECT secret_sealed, old_secret_sealed FROM api_endpoints FOR UPDATE`;
    if (row === undefined) return;
    const again = (sealed: Uint8Array | null): Uint8Array | null =>
      sealed === null || newest.equals(sealed.subarray(0, newest.length))
        ? sealed
        : sealAnew(merchantId, sealed);
    const [secret, old] = [again(row.secret_sealed), again(row.old_secret_sealed)];
    if (secret !== row.secret_sealed || old !== row.old_secret_sealed)
      await tx.$executeRaw`
        UPDATE api_endpoints SET secret_sealed = ${secret}, old_secret_sealed = ${old}`;
  });
}
