import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ICON_HAND, Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { DayVerdict, ReconciledDay } from '#lib/reports/reconciliation/view.ts';

const TONES: Record<DayVerdict, Tone> = {
  clean: 'settled',
  differences: 'attention',
  acknowledged: 'draft',
  waiting: 'progress',
  reading: 'progress',
};

/** Result of a day, with its counts in words. */
export async function DayVerdictPill({ day }: { day: ReconciledDay }): Promise<ReactNode> {
  const t = await getTranslations('reconciliation.verdicts');
  return (
    <Pill
      tone={TONES[day.verdict]}
      {...(day.verdict === 'acknowledged' ? { icon: ICON_HAND } : {})}
    >
      {t(day.verdict, { open: day.open, acknowledged: day.acknowledged, waiting: day.waiting })}
    </Pill>
  );
}
