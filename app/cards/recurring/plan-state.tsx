import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ICON_STOPPED, Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { PlanRow } from '#lib/cards/recurring/list.ts';
import type { PlanStatus } from '#lib/cards/recurring/plan.ts';

export const PLAN_TONES: Record<PlanStatus | 'unverified', Tone> = {
  unverified: 'unknown',
  active: 'progress',
  inactive: 'draft',
  completed: 'settled',
  unknown: 'unknown',
};

/** The status on the plan's latest record, as a pill. */
export async function PlanState({ status }: Pick<PlanRow, 'status'>): Promise<ReactNode> {
  const t = await getTranslations('recurring.states');
  const shown = status ?? 'unverified';
  return (
    <Pill tone={PLAN_TONES[shown]} {...(shown === 'inactive' ? { icon: ICON_STOPPED } : {})}>
      {t(shown)}
    </Pill>
  );
}

/** "every 2 months"; empty until the record has been read. */
export async function Rhythm({
  every,
  cycle,
}: Pick<PlanRow, 'every' | 'cycle'>): Promise<ReactNode> {
  if (cycle === null) return null;
  const t = await getTranslations('recurring.cycles');
  return t(every === null ? 'unknown' : cycle, { every: every ?? 0 });
}
