import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { Level } from '#lib/reports/withdrawals/filter.ts';

const TONES: Record<Level, Tone> = {
  pending: 'progress',
  completed: 'settled',
  rejected: 'failed',
  failed: 'failed',
  unknown: 'unknown',
};

/** The provider's status of a request. */
export async function LevelPill({ level }: { level: Level }): Promise<ReactNode> {
  return (
    <Pill tone={TONES[level]}>{(await getTranslations('withdrawals'))(`levels.${level}`)}</Pill>
  );
}
