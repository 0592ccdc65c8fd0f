import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ICON_STOPPED, Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { CardRow } from '#lib/cards/payments/list.ts';
import type { PaymentState } from '#lib/cards/payments/payment.ts';

export const CARD_TONES: Record<PaymentState | 'unverified' | 'unpaid', Tone> = {
  unverified: 'unknown',
  pending: 'progress',
  unpaid: 'progress',
  held: 'held',
  maybe_captured: 'unknown',
  completed: 'settled',
  captured: 'settled',
  failed: 'failed',
  cancelled: 'draft',
  partly_refunded: 'returned',
  refunded: 'returned',
  charged_back: 'returned',
};

/** The state on the gateway's latest record, as a pill. */
export async function CardState({
  state,
  unpaid = false,
}: Pick<CardRow, 'state'> & { unpaid?: boolean }): Promise<ReactNode> {
  const t = await getTranslations('cards.states');
  const shown = unpaid ? 'unpaid' : (state ?? 'unverified');
  return (
    <Pill tone={CARD_TONES[shown]} {...(shown === 'cancelled' ? { icon: ICON_STOPPED } : {})}>
      {t(shown)}
    </Pill>
  );
}

/** A card by its last four digits: the product stores nothing else of it. */
export function CardDigits({ card }: Pick<CardRow, 'card'>): ReactNode {
  return card === null ? (
    <span className="text-muted">–</span>
  ) : (
    <span className="font-mono text-mono whitespace-nowrap">•••• {card}</span>
  );
}
