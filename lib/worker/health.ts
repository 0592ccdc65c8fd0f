import 'server-only';
import { once, soon } from '#lib/runtime/short-lived-cache.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { merchantId } from '#lib/access/merchant.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import { sendingCause } from '#lib/send-control/view.ts';
import type { Cause } from '#lib/send-control/stops.ts';

/** How long a worker may be silent before it counts as absent. */
export const WORKER_SILENT_SECONDS = 20;
const PROVIDER_SHARED_MS = 10_000;

/**
 * `writable`: a read-only database can store nothing, so no payment is sent and no webhook
 * accepted. `provider` says whether the provider just responded, `stopped` what stops sending, if
 * anything; neither makes the installation unready, since waiting loses nothing.
 */
export type Health = {
  ready: boolean;
  database: boolean;
  writable: boolean;
  migrations: boolean;
  worker: boolean;
  provider: boolean;
  stopped: Cause | null;
};

/** The reading under way. */
let reading: Promise<Health> | null = null;

/**
 * The state of the installation. Anybody may ask for it, so that those who ask at the same time share
 * one reading: however many they are, they hold one connection to the database.
 */
export function readHealth(): Promise<Health> {
  return (reading ??= readOnce().finally(() => {
    reading = null;
  }));
}

async function readOnce(): Promise<Health> {
  const provider = soon(
    once('health', PROVIDER_SHARED_MS, () => walletClient().getBusinessAccount()),
  );
  try {
    const merchant = merchantId();
    const [row] = await inTransaction(
      merchant,
      (tx) => tx.$queryRaw<[{ worker: boolean; writable: boolean }]>`
      SELECT EXISTS (SELECT FROM worker_heartbeats
        WHERE at > clock_timestamp() - make_interval(secs => ${WORKER_SILENT_SECONDS})) AS worker,
        current_setting('transaction_read_only') = 'off' AS writable`,
    );
    return {
      ready: row.worker && row.writable,
      database: true,
      writable: row.writable,
      migrations: true,
      worker: row.worker,
      provider: (await provider)?.kind === 'answered',
      stopped: await sendingCause(merchant),
    };
  } catch (error) {
    const missingTable = error instanceof Error && /does not exist/.test(error.message);
    return {
      ready: false,
      database: missingTable,
      writable: false,
      migrations: false,
      worker: false,
      provider: (await provider.catch(() => null))?.kind === 'answered',
      stopped: null,
    };
  }
}
