import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ICON_STOPPED, Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { RunPhase } from '#lib/batches/run/phase.ts';

const TONES: Readonly<Record<RunPhase, Tone>> = {
  waiting: 'attention',
  expired: 'draft',
  sent_back: 'attention',
  running: 'progress',
  held: 'attention',
  stopped: 'draft',
  done: 'settled',
};

/** `isOpen`: every row has been sent, and not every outcome is known. */
export async function RunPhasePill({
  phase,
  isOpen,
}: {
  phase: RunPhase;
  isOpen: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('batchRun.phase');
  if (phase === 'done' && isOpen) return <Pill tone="progress">{t('sent')}</Pill>;
  return (
    <Pill
      tone={TONES[phase]}
      {...(phase === 'stopped' || phase === 'expired' ? { icon: ICON_STOPPED } : {})}
    >
      {t(phase)}
    </Pill>
  );
}
