import type { Payment } from './provider.ts';
import type { Change, Row } from './store.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/**
 * Checks what is written into the fields about money: nothing of a webhook, and only what the
 * provider's records hold for this very intent.
 */

const MONEY = [
  'state',
  'amountMinor',
  'iban',
  'toWallet',
  'name',
  'wallet',
  'feeMinor',
  'requestId',
  'transactionId',
  'currency',
  'reasonText',
  'ledgerSeenAt',
  'acceptedAt',
  'sends',
] as const;

export class Fields {
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  committed(change: Change): void {
    for (const { before, after } of change.rows) {
      if (before === null) continue;
      if (change.name === 'notice') this.untouchedByNotice(before, after);
      this.knownIds(before, after);
    }
  }

  private untouchedByNotice(before: Row, after: Row): void {
    for (const field of MONEY)
      if (before[field] !== after[field])
        throw new Violation('I14', `a notice changed ${field} of ${after.extId}`);
    if (before.returned !== after.returned && after.returned === 'CONFIRMED')
      throw new Violation('I14', `a notice confirmed the return of ${after.extId}`);
  }

  private knownIds(before: Row, after: Row): void {
    const own = (test: (payment: Payment) => boolean): boolean =>
      this.world.provider.payments.some((one) => one.extId === after.extId && test(one));
    if (after.requestId !== before.requestId && !own((one) => one.requestId === after.requestId))
      throw new Violation('I14', `${after.extId} carries a request id that is not its own`);
    if (
      after.transactionId !== before.transactionId &&
      !own((one) => one.transactionId === after.transactionId)
    )
      throw new Violation('I14', `${after.extId} carries a transaction that is not its own`);
  }
}
