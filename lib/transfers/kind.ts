import 'server-only';
import { createHash } from 'node:crypto';
import type { Rail } from '#lib/movements/advance.ts';
import { ledgerQuestion, ledgerRange } from '#lib/movements/ledger-question.ts';
import { sendAtOnce } from '#lib/movements/one-step.ts';
import type { TransferKindName } from '#lib/movements/kinds.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { transferBody } from '#lib/providers/wallet/transfer-body.ts';
import { TRANSFER_KIND, transferContent } from './questions.ts';

/**
 * How a transfer between wallets is sent and queried. No webhook is documented for it and the
 * provider keeps no request record: only the ledger entry with our own reference ends it, so the
 * ledger is read until that entry appears.
 */
export function transferRail(
  wallet: Pick<WalletClient, 'sendTransfer' | 'readTransfer' | 'findInLedger'>,
  rail: TransferKindName,
): Rail {
  return {
    order: sendAtOnce,
    query: async () => null,
    send: (movement, beforeWrite) =>
      wallet.sendTransfer(TRANSFER_KIND[rail], transferContent(movement), {
        endUserIp: movement.makerIp,
        beforeWrite,
      }),
    read: (movement) => wallet.readTransfer(transferContent(movement), ledgerRange(movement)),
    ledger: (movement) => wallet.findInLedger(ledgerQuestion(movement)),
  };
}

/** SHA-256 of the request body: every send of one ext id has the same (docs/money-rules.md, I4). */
export function transferHash(movement: MovementRow, rail: TransferKindName): string {
  return createHash('sha256')
    .update(transferBody(TRANSFER_KIND[rail], transferContent(movement)))
    .digest('hex');
}
