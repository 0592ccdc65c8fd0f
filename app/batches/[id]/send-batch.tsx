import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ForeseenLine } from '#app/movements/form/foreseen-line.tsx';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { Messages } from '#components/messages.tsx';
import type { Person } from '#lib/access/actor.ts';
import { foreseeBatch } from '#lib/batches/approval/foresee.ts';
import type { CheckedDraft } from '#lib/batches/draft/read.ts';
import { seenHashOf } from '#lib/batches/run/seen-hash.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { sendBatch } from './run/actions.ts';

/** Sends a checked draft, or submits it for approval; its dialog repeats what leaves, and from where. */
export async function SendBatch({
  person,
  draft,
}: {
  person: Person;
  draft: CheckedDraft;
}): Promise<ReactNode> {
  const { batch, summary } = draft;
  const t = await getTranslations('batchRun.send');
  const sum = formatMoney(summary.sum, batch.currency, (await getLocale()) as Locale);
  const words = { count: summary.rows, sum };
  const foreseen = await foreseeBatch(person, draft);
  const asks = foreseen.needed > 0;
  return (
    <Messages of={['foreseen']}>
      <div className="flex justify-end">
        <ConfirmButton
          action={sendBatch}
          fields={{
            batch: batch.id,
            version: String(batch.version),
            seenHash: seenHashOf(draft) ?? '',
          }}
          look="primary"
          words={{
            open: t(asks ? 'submit' : 'open', words),
            title: t('title'),
            confirm: asks ? t('submitConfirm') : t('confirm', words),
            keep: t('keep'),
          }}
        >
          <p className="text-title font-semibold tabular-nums">{sum}</p>
          <p>{t(asks ? 'textApproval' : 'text', { count: summary.rows, wallet: batch.wallet })}</p>
          {asks && <ForeseenLine foreseen={foreseen} />}
          {summary.firstTime > 0 && (
            <p className="text-muted">{t('first', { count: summary.firstTime })}</p>
          )}
        </ConfirmButton>
      </div>
    </Messages>
  );
}
