import 'server-only';
import { createHash } from 'node:crypto';
import type { Rail } from '#lib/movements/advance.ts';
import { ledgerQuestion } from '#lib/movements/ledger-question.ts';
import { sendAtOnce } from '#lib/movements/one-step.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { payoutBody } from '#lib/providers/wallet/payout-body.ts';
import { payoutContent } from './questions.ts';

/** How a bank payout is sent and queried. */
export function payoutRail(wallet: WalletClient): Rail {
  return {
    order: sendAtOnce,
    query: async () => null,
    send: (movement, beforeWrite) =>
      wallet.sendPayout(payoutContent(movement), { endUserIp: movement.makerIp, beforeWrite }),
    read: (movement) => wallet.readPayout(movement),
    ledger: (movement) => wallet.findInLedger(ledgerQuestion(movement)),
  };
}

/** SHA-256 of the request body: every send of one ext id has the same (docs/money-rules.md, I4). */
export function payoutHash(movement: MovementRow): string {
  return createHash('sha256')
    .update(payoutBody(payoutContent(movement)))
    .digest('hex');
}
