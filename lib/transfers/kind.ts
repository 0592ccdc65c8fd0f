import 'server-only';
import { createHash } from 'node:crypto';
import type { MovementKind } from '#lib/movements/kind.ts';
import { ledgerQuestion, ledgerRange } from '#lib/movements/ledger-question.ts';
import { sendAtOnce } from '#lib/movements/one-step.ts';
import { TRANSFER_KINDS } from '#lib/movements/kinds.ts';
import type { TransferKindName } from '#lib/movements/kinds.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { transferBody } from '#lib/providers/wallet/transfer-body.ts';
import { TRANSFER_KIND, transferContent } from './questions.ts';

type Wallet = Pick<WalletClient, 'sendTransfer' | 'readTransfer' | 'findInLedger'>;

export function transferKinds(wallet: Wallet): MovementKind[] {
  return TRANSFER_KINDS.map((name) => transferKind(wallet, name));
}

/**
 * How a transfer between wallets is sent and queried. No webhook is documented for it and the
 * provider keeps no request record: only the ledger entry with our own reference ends it, so the
 * ledger is read until that entry appears.
 */
function transferKind(wallet: Wallet, name: TransferKindName): MovementKind {
  const kind = TRANSFER_KIND[name];
  return {
    name,
    requestHash: (movement) =>
      createHash('sha256')
        .update(transferBody(kind, transferContent(movement)))
        .digest('hex'),
    order: sendAtOnce,
    query: async () => null,
    send: (movement, beforeWrite) =>
      wallet.sendTransfer(kind, transferContent(movement), {
        endUserIp: movement.makerIp,
        beforeWrite,
      }),
    read: (movement) => wallet.readTransfer(transferContent(movement), ledgerRange(movement)),
    ledger: (movement) => wallet.findInLedger(ledgerQuestion(movement)),
  };
}
