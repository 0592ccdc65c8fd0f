import 'server-only';
import { createHash } from 'node:crypto';
import type { MovementKind } from '#lib/movements/kind.ts';
import { ledgerQuestion } from '#lib/movements/ledger-question.ts';
import { sendAtOnce } from '#lib/movements/one-step.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { payoutBody } from '#lib/providers/wallet/payout-body.ts';

/** How a bank payout is sent and queried. */
export function payoutKind(wallet: WalletClient): MovementKind {
  return {
    name: 'payout',
    requestHash,
    order: sendAtOnce,
    query: async () => null,
    send: (movement, beforeWrite) =>
      wallet.sendPayout(movement, { endUserIp: movement.makerIp, beforeWrite }),
    read: (movement) => wallet.readPayout(movement),
    ledger: (movement) => wallet.findInLedger(ledgerQuestion(movement)),
  };
}

/** The hash of the request body. */
function requestHash(movement: MovementRow): string {
  return createHash('sha256').update(payoutBody(movement)).digest('hex');
}
