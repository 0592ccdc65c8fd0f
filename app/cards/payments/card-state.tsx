import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ICON_STOPPED, Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { CardRow } from '#lib/cards/payments/list.ts';
import type { PaymentState } from '#lib/cards/payments/payment.ts';

const TONES: Record<PaymentState | 'unverified', Tone> = {
  unverified: 'unknown',
  pending: 'progress',
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

/** What the gateway's record last said, as a pill. */
export async function CardState({ state }: Pick<CardRow, 'state'>): Promise<ReactNode> {
  const t = await getTranslations('cards.states');
  const shown = state ?? 'unverified';
  return (
    <Pill tone={TONES[shown]} {...(shown === 'cancelled' ? { icon: ICON_STOPPED } : {})}>
      {t(shown)}
    </Pill>
  );
}

/** A card by its last four digits: nothing else of it is known here. */
export function CardDigits({ card }: Pick<CardRow, 'card'>): ReactNode {
  return card === null ? (
    <span className="text-muted">–</span>
  ) : (
    <span className="font-mono text-mono whitespace-nowrap">•••• {card}</span>
  );
}
