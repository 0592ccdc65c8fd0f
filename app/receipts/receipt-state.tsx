import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { ReceiptRow } from '#lib/receipts/list.ts';

/** A missing document is no loss of money: it is a warning, not red. */
const TONES: Record<ReceiptRow['status'], Tone> = {
  ready: 'settled',
  waiting_ledger: 'progress',
  waiting_receipt: 'progress',
  failed: 'attention',
};

export async function ReceiptState({
  status,
  format,
}: Pick<ReceiptRow, 'status' | 'format'>): Promise<ReactNode> {
  const t = await getTranslations('receipts');
  return (
    <Pill tone={TONES[status]}>
      {t(`states.${status}`)}
      {status === 'ready' && format ? ` · ${t(`formats.${format}`)}` : ''}
    </Pill>
  );
}
