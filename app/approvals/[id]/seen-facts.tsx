'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';
import { changesOf } from '#lib/approvals/changes.ts';
import type { ShownFact } from '#lib/approvals/changes.ts';
import { ChangeList } from './change-list.tsx';

/**
 * Keeps the facts that the person saw when the page was opened. When a live update brings others,
 * the decision is closed and the differences are shown until the person has looked at them. `decides`:
 * the person may still approve it. Needs the namespace "approvals".
 */
export function SeenFacts({
  facts,
  decides,
  children,
}: {
  facts: readonly ShownFact[];
  decides: boolean;
  children: ReactNode;
}): ReactNode {
  const t = useTranslations('approvals.changed');
  const [seen, setSeen] = useState(facts);
  const changes = changesOf(seen, facts);
  if (!decides || changes.length === 0) return children;
  return (
    <Banner
      tone="attention"
      live
      title={t('title')}
      actions={<Button onClick={() => setSeen(facts)}>{t('look')}</Button>}
    >
      <ChangeList changes={changes} none={t('none')} />
    </Banner>
  );
}
