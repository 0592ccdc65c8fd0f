import { useForeseen } from '#app/movements/form/use-foreseen.ts';
import type { Foreseen } from '#lib/approvals/foresee.ts';
import { CARD_BALANCE_PAYOUT } from '#lib/movements/kinds.ts';
import { CARD_BALANCE } from '#lib/payouts/schema.ts';
import type { PayoutFormState } from './use-payout-form.ts';

/** Typing asks the server only when it has rested this long, in milliseconds. */
const TYPING_MS = 300;

/** Who has to approve the payout as it is typed; null while it is incomplete, or nobody has to. */
export function usePayoutForeseen({
  facts,
  read: { content },
  wallet,
}: PayoutFormState): Foreseen | null {
  const { iban, name, amountMinor } = content;
  const isComplete =
    iban !== undefined && name !== undefined && amountMinor !== undefined && wallet !== null;
  const fromCardBalance = wallet?.number === CARD_BALANCE;
  return useForeseen(
    isComplete
      ? {
          id: facts.id,
          kind: fromCardBalance ? CARD_BALANCE_PAYOUT : 'payout',
          wallet: fromCardBalance ? '' : wallet.number,
          iban,
          toWallet: null,
          name,
          amountMinor: amountMinor.toString(),
          currency: wallet.currency,
          retryOf: facts.retryOf,
        }
      : null,
    TYPING_MS,
  );
}
