import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { Wallet } from '#lib/providers/wallet/types.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { forgetWallets, freshWallets } from '../ask.ts';
import { madeBy, requestOf } from './request.ts';
import type { WalletRequestRow } from './request.ts';

/**
 * A response may take this long: before that, a person cannot declare that no wallet was made.
 */
export const SETTLE_AFTER_MS = 120_000;

/**
 * Checks whether the provider's list shows the wallet that an unclear request may have created. If
 * it does, the request is resolved.
 *
 * @throws Refusal not_allowed, not_found, wallet_request_over, wallet_list_unread
 */
export async function lookForWallet(actor: Person, id: string): Promise<'found' | 'not_listed'> {
  return settle(actor, id, async () => 'not_listed');
}

/**
 * A person declares that no wallet was created, after a check that did not find it either. Only
 * then may another one be requested.
 *
 * @throws Refusal as {@link lookForWallet}, and wallet_request_young
 */
export async function giveUpWallet(actor: Person, id: string): Promise<'found' | 'given_up'> {
  return settle(actor, id, async (tx, request, listed) => {
    const young = SETTLE_AFTER_MS - (request.now.getTime() - request.asked_at.getTime());
    if (young > 0) throw new Refusal('wallet_request_young', { seconds: Math.ceil(young / 1_000) });
    await tx.$executeRaw`UPDATE wallet_requests SET state = 'NOT_MADE' WHERE id = ${id}::uuid`;
    await audit(tx, actor, 'wallet.given_up', `wallet:${id}`, {
      before: request.numbers_before.length,
      listed: listed.length,
    });
    return 'given_up';
  });
}

async function settle<T extends string>(
  actor: Person,
  id: string,
  otherwise: (tx: Tx, request: WalletRequestRow, listed: Wallet[]) => Promise<T>,
): Promise<'found' | T> {
  assertMay(actor, 'wallet.create');
  const listed = await freshWallets();
  return inTransaction(actor.merchantId, async (tx) => {
    await tx.$queryRaw`SELECT id FROM wallet_requests WHERE id = ${id}::uuid AND state = 'UNCLEAR' FOR UPDATE`;
    const [request] = await tx.$queryRaw<WalletRequestRow[]>(requestOf(id));
    if (!request) throw new Refusal('not_found');
    if (request.state !== 'UNCLEAR') throw new Refusal('wallet_request_over');
    if (listed === null) throw new Refusal('wallet_list_unread');
    const made = madeBy(request, listed);
    if (made === null) return otherwise(tx, request, listed);
    await tx.$executeRaw`UPDATE wallet_requests SET state = 'CREATED', number = ${made.number}
      WHERE id = ${id}::uuid`;
    await audit(tx, actor, 'wallet.found', `wallet:${id}`, { number: made.number });
    forgetWallets();
    return 'found';
  });
}
