import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { Status } from '#lib/reports/transactions/filter.ts';

const TONES: Record<Status, Tone> = {
  pending: 'progress',
  completed: 'settled',
  cancelled: 'draft',
  refunded: 'returned',
  other: 'unknown',
};

/** The provider's status of a ledger entry; `text`: its own word, shown where the status is new. */
export async function StatusPill({
  status,
  text,
}: {
  status: Status;
  text: string | null;
}): Promise<ReactNode> {
  const t = await getTranslations('transactions.statuses');
  return <Pill tone={TONES[status]}>{status === 'other' ? (text ?? t('other')) : t(status)}</Pill>;
}
