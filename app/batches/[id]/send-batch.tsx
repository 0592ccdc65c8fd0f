import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import type { CheckedDraft } from '#lib/batches/draft/read.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { sendBatch } from './run/actions.ts';

/** Sends a checked draft; its dialog repeats what leaves, and from where. */
export async function SendBatch({
  draft: { batch, summary },
}: {
  draft: CheckedDraft;
}): Promise<ReactNode> {
  const t = await getTranslations('batchRun.send');
  const sum = formatMoney(summary.sum, batch.currency, (await getLocale()) as Locale);
  const words = { count: summary.rows, sum };
  return (
    <div className="flex justify-end">
      <ConfirmButton
        action={sendBatch}
        fields={{ batch: batch.id, version: String(batch.version) }}
        look="primary"
        words={{
          open: t('open', words),
          title: t('title'),
          confirm: t('confirm', words),
          keep: t('keep'),
        }}
      >
        <p className="text-title font-semibold tabular-nums">{sum}</p>
        <p>{t('text', { count: summary.rows, wallet: batch.wallet })}</p>
        {summary.firstTime > 0 && (
          <p className="text-muted">{t('first', { count: summary.firstTime })}</p>
        )}
      </ConfirmButton>
    </div>
  );
}
