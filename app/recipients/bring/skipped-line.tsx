import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import type { Skipped } from '#lib/recipients/paid-payees.ts';

const REASONS = ['iban', 'name', 'archived'] as const;

/** The accounts that are not offered, counted by reason; nothing while there are none. */
export async function SkippedLine({ skipped }: { skipped: Skipped }): Promise<ReactNode> {
  const t = await getTranslations('bringRecipients.skipped');
  const parts = REASONS.filter((reason) => skipped[reason] > 0).map((reason) =>
    t(reason, { count: skipped[reason] }),
  );
  if (parts.length === 0) return null;
  return (
    <p className="text-label text-muted">
      <span className="font-medium">{t('title')}</span> {parts.join(' · ')}
    </p>
  );
}
