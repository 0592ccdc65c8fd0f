'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { endLive } from '#components/live-stream.ts';
import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import type { ReadProblem } from './read-movement.ts';
import { useWriting } from './words.ts';

type Props = {
  view: MovementView;
  problem: ReadProblem | null;
  databaseDown: boolean;
  onRetry: () => void;
};

/**
 * The data stays on the page; this tells its age and why it was not refreshed. The frame offers the
 * new sign-in, for every page alike.
 */
export function FreshnessProblem({ view, problem, databaseDown, onRetry }: Props): ReactNode {
  const t = useTranslations('payout.freshness');
  const { time } = useWriting();
  useEffect(() => {
    if (problem === 'signed_out') endLive();
  }, [problem]);
  if (problem === null && !databaseDown) return null;
  const at = time(view.now, view.now);
  if (databaseDown)
    return (
      <Banner tone="attention" live>
        {t('database', { at })}
      </Banner>
    );
  if (problem === 'signed_out')
    return (
      <Banner tone="attention" live>
        {t('signedOut', { at })}
      </Banner>
    );
  if (problem === 'outdated')
    return (
      <Banner
        tone="attention"
        live
        actions={<Button onClick={() => location.reload()}>{t('reload')}</Button>}
      >
        {t('outdated', { at })}
      </Banner>
    );
  return (
    <Banner tone="attention" live actions={<Button onClick={onRetry}>{t('retry')}</Button>}>
      {t('failed', { at })}
    </Banner>
  );
}
