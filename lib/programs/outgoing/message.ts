import 'server-only';
import { phaseOf } from '#lib/batches/run/phase.ts';
import type { RunFacts } from '#lib/batches/run/phase.ts';
import type { Returned, State } from '#lib/movements/state.ts';
import { toDecimal } from '#lib/values/money.ts';
import { RETURNED, statusOf } from '../api/payouts.ts';

/**
 * What a message says, from the facts of its moment. It names no payee: who needs more asks for the
 * payout with a key.
 */

export type DeliveryType = 'payout.updated' | 'batch.updated' | 'ping';
export type Stored = { type: DeliveryType; subject_id: string | null; facts: unknown; at: Date };

/**
 * `contradicted`: a record speaks against "not paid", or a restore may have lost a send; absent in
 * messages of a former version.
 */
type PayoutFacts = {
  state: State;
  returned: Returned;
  contradicted?: boolean;
  amountMinor: string;
  currency: string;
  wallet: string;
  extId: string;
};
type BatchFacts = Omit<RunFacts, 'held'> & { hold: string | null };

/** The body, the same at each try. */
export function messageOf(stored: Stored): string {
  return JSON.stringify({
    type: stored.type,
    timestamp: stored.at.toISOString(),
    data: dataOf(stored),
  });
}

function dataOf({ type, subject_id: id, facts }: Stored): object {
  switch (type) {
    case 'payout.updated': {
      const { state, returned, contradicted, amountMinor, currency, wallet, extId } =
        facts as PayoutFacts;
      return {
        object: 'payout',
        id,
        status: statusOf({ state, returned, isUnproven: contradicted ?? false }),
        returned: RETURNED[returned],
        amount: toDecimal(BigInt(amountMinor)),
        currency,
        wallet,
        reference: extId,
      };
    }
    case 'batch.updated': {
      const { hold, ...run } = facts as BatchFacts;
      const status = phaseOf({ held: hold !== null, ...run });
      return { object: 'batch', id, status, hold };
    }
    case 'ping':
      return { object: 'ping' };
  }
}
