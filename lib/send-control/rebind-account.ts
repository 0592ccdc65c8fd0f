import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import type { ProviderAccount } from '#lib/begin-check/provider-account.ts';
import { Refusal } from '#lib/access/refusal.ts';

const ALIVE_SECONDS = 20;

/**
 * Rebinds the database to the provider account of the running workers. The people who resume
 * sending after a change of provider or account decide exactly that; while two workers have
 * different accounts, rebinding is refused.
 *
 * @throws Refusal workers_disagree
 */
export async function adoptIdentity(tx: Tx): Promise<void> {
  const accounts = await tx.$queryRaw<ProviderAccount[]>`
    SELECT DISTINCT provider ->> 'environment' AS environment, provider ->> 'sender' AS sender,
      provider ->> 'gateway' AS gateway FROM worker_heartbeats
    WHERE at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS})
      AND provider ->> 'sender' IS NOT NULL`;
  const [one, other] = accounts;
  if (!one || other) throw new Refusal('workers_disagree');
  await tx.$executeRaw`UPDATE installations SET environment = ${one.environment},
    sender = ${one.sender}, gateway = ${one.gateway}`;
}
