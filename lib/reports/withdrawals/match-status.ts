import type { Returned, State } from '#lib/movements/state.ts';
import type { WithdrawalLevel } from '#lib/providers/wallet/types.ts';
import { isSameIban } from '#lib/values/iban.ts';
import { BY_LEVEL } from '../reconciliation/tables.ts';

/**
 * Compares a withdraw request with our own payout of the same reference. `behind`: the provider's
 * state is ahead, and our own polls will follow. Pure.
 */
export type Beside = 'not_ours' | 'agrees' | 'behind' | 'differs';

type Content = { amountMinor: bigint; currency: string; iban: string | null };
type Request = Content & { level: WithdrawalLevel };
type Payout = Content & { state: State; returned: Returned };

export function besideOurs(request: Request, payout: Payout | null): Beside {
  if (payout === null) return 'not_ours';
  if (payout.amountMinor !== request.amountMinor || payout.currency !== request.currency)
    return 'differs';
  if (request.iban !== null && payout.iban !== null && !isSameIban(request.iban, payout.iban))
    return 'differs';
  // It is unknown which level a request has after the bank returned the money.
  if (
    payout.state === 'COMPLETED' &&
    payout.returned !== 'NONE' &&
    (request.level === 'rejected' || request.level === 'failed')
  )
    return 'agrees';
  return ({ agree: 'agrees', behind: 'behind', differs: 'differs' } as const)[
    BY_LEVEL[payout.state][request.level]
  ];
}
