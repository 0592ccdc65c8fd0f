import 'server-only';
import { inTransaction } from '#lib/runtime/db.ts';
import { log } from '#lib/runtime/log.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { completed, differenceOf } from '#lib/begin-check/provider-account.ts';
import type { Binding, OwnIdentity } from '#lib/begin-check/provider-account.ts';
import { stopSendingFor } from './stop-for.ts';

export type IdentityKeeper = {
  /** What this process sends with; the account is null until the provider has returned it. */
  own(): OwnIdentity;
  /**
   * Queries the provider's account until it is known, and compares with the stored binding. A
   * difference stops sending.
   */
  look(): Promise<void>;
};

type Options = {
  merchantId: string;
  environment: string;
  gateway: string;
  provider: Pick<WalletClient, 'getBusinessAccount'>;
};

/** The first worker on a database stores its provider account; later workers must match it. */
export function keepIdentity({
  merchantId,
  environment,
  gateway,
  provider,
}: Options): IdentityKeeper {
  let own: OwnIdentity = { environment, gateway, sender: null };
  return {
    own: () => own,
    async look() {
      // Bind without the account first: the card gateway does not wait for the wallet service.
      if (own.sender === null) await compareIdentity(merchantId, own);
      if (own.sender !== null) return compareIdentity(merchantId, own);
      const account = await provider.getBusinessAccount();
      if (account.kind !== 'answered') return;
      own = { environment, gateway, sender: account.value.id };
      await compareIdentity(merchantId, own);
    },
  };
}

/**
 * Stores the parts of the binding that the database lacks, unless another part differs, and
 * compares the rest: a database from before the card gateway's address was part of the binding is
 * completed by the first worker. After a difference, sending is stopped when this resolves.
 */
export async function compareIdentity(merchantId: string, own: OwnIdentity): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    await tx.$executeRaw`INSERT INTO installations (merchant_id)
      VALUES (${merchantId}::uuid) ON CONFLICT DO NOTHING`;
    const [held] = await tx.$queryRaw<
      [Binding]
    >`SELECT environment, sender, gateway FROM installations FOR UPDATE`;
    const differs = differenceOf(held, own);
    if (differs === null) {
      const { environment, sender, gateway } = completed(held, own);
      if (environment !== held.environment || sender !== held.sender || gateway !== held.gateway) {
        await tx.$executeRaw`UPDATE installations SET environment = ${environment},
          sender = ${sender}, gateway = ${gateway}`;
      }
      return;
    }
    const stopped = await stopSendingFor(
      tx,
      { kind: 'worker', merchantId },
      'environment',
      `${differs}: ${held[differs]} → ${own[differs]}`,
    );
    if (stopped)
      log.error('another provider or account than this database is about: sending is off', {
        reason: differs,
      });
  });
}
