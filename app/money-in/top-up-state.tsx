import { __iconData as megaphone } from 'lucide-react/icons/megaphone';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { drawn } from '#components/ui/icon.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { TopUpState } from '#lib/money-in/list.ts';

const Megaphone = drawn(megaphone);
/** An announced top-up is not confirmed by the ledger yet, so it never looks settled. */
export const TOP_UP_TONES: Record<TopUpState, Tone> = {
  announced: 'unknown',
  overdue: 'attention',
  arrived: 'settled',
  returned: 'returned',
  unfinished: 'progress',
};

export async function TopUpStatePill({ state }: { state: TopUpState }): Promise<ReactNode> {
  const t = await getTranslations('moneyIn.states');
  return (
    <Pill tone={TOP_UP_TONES[state]} {...(state === 'announced' ? { icon: Megaphone } : {})}>
      {t(state)}
    </Pill>
  );
}
