import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { HelpLink } from '#components/ui/help-link.tsx';
import { ICON_STOPPED, Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { CardRow, LinkState } from '#lib/cards/payments/list.ts';
import type { PaymentState } from '#lib/cards/payments/payment.ts';

export const CARD_TONES: Record<PaymentState | 'unverified' | LinkState, Tone> = {
  unverified: 'unknown',
  pending: 'progress',
  unpaid: 'progress',
  unused: 'draft',
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

export type CardStateWord = keyof typeof CARD_TONES;

/** The state on the gateway's latest record, as a pill. */
export async function CardState({
  state,
  link,
  withHelp = false,
}: Pick<CardRow, 'state' | 'link'> & { withHelp?: boolean }): Promise<ReactNode> {
  const shown = link ?? state ?? 'unverified';
  if (!withHelp) return <CardPill state={shown} />;
  const t = await getTranslations('states');
  const cards = await getTranslations('cards.states');
  return (
    <span className="inline-flex items-center gap-2">
      <CardPill state={shown} />
      <HelpLink about={`card-${shown}`} label={t('what', { state: cards(shown) })} />
    </span>
  );
}

export async function CardPill({ state }: { state: CardStateWord }): Promise<ReactNode> {
  const t = await getTranslations('cards.states');
  return (
    <Pill
      tone={CARD_TONES[state]}
      {...(state === 'cancelled' || state === 'unused' ? { icon: ICON_STOPPED } : {})}
    >
      {t(state)}
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
