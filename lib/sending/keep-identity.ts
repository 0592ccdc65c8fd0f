import 'server-only';
import { inTransaction } from '#lib/db.ts';
import { log } from '#lib/log.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { sameIdentity } from './identity.ts';
import type { Identity } from './identity.ts';
import { stopSendingFor } from './stop-for.ts';

export type IdentityKeeper = {
  /** What a claim must find in the database before it sends; null until the provider has said who we are. */
  known(): Identity | null;
  /** Whether the database, when it was last asked, was about just that. */
  confirmed(): boolean;
  /** Asks the provider once whose account this is, and compares with what the database remembers. A difference turns sending off. */
  look(): Promise<void>;
};

type Options = { merchantId: string; environment: string; provider: Pick<WalletClient, 'getBusinessAccount'> };

/** The first worker on a database writes down who it is; from then on all must be the same. */
export function keepIdentity({ merchantId, environment, provider }: Options): IdentityKeeper {
  let known: Identity | null = null;
  let confirmed = false;
  return {
    known: () => known,
    confirmed: () => confirmed,
    async look() {
      if (known === null) {
        const account = await provider.getBusinessAccount();
        if (account.kind === 'answered') known = { environment, sender: account.value.id };
      }
      if (known !== null) confirmed = await compareIdentity(merchantId, known);
    },
  };
}

/** Whether the database is about `own`. If not, sending is off when this resolves. */
export async function compareIdentity(merchantId: string, own: Identity): Promise<boolean> {
  return inTransaction(merchantId, async (tx) => {
    await tx.$executeRaw`
      INSERT INTO installations (merchant_id, environment, sender) VALUES (${merchantId}::uuid, ${own.environment}, ${own.sender})
      ON CONFLICT (merchant_id) DO UPDATE SET environment = excluded.environment, sender = excluded.sender WHERE installations.environment IS NULL`;
    const [held] = await tx.$queryRaw<[Identity]>`SELECT environment, sender FROM installations`;
    if (sameIdentity(held, own)) return true;
    const differs = held.environment === own.environment ? 'sender' : 'environment';
    const stopped = await stopSendingFor(tx, { kind: 'worker', merchantId }, 'environment', `${differs}: ${held[differs]} → ${own[differs]}`);
    if (stopped) log.error('another provider or account than this database is about: sending is off', { reason: differs });
    return false;
  });
}
