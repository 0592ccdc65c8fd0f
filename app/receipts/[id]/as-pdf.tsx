import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { liveWords } from '#app/live-words.ts';
import { FileButton } from '#components/ui/button.tsx';
import { pageSnapshot } from '#lib/login/session.ts';
import type { ReceiptView } from '#lib/receipts/view.ts';
import { makePdf } from '../actions.ts';
import { KeepCurrent } from '../keep-current.tsx';

/** The PDF of a receipt that came as HTML: asked for, awaited, or there to download. */
export async function AsPdf({ receipt }: { receipt: ReceiptView }): Promise<ReactNode> {
  const t = await getTranslations('receipts.asPdf');
  const { id, pdf } = receipt;
  if (pdf?.state === 'READY')
    return (
      <FileButton href={`/receipts/${id}/raw?download=pdf`} download>
        {t('download')}
      </FileButton>
    );
  if (pdf?.state === 'WAITING')
    return (
      <span className="flex flex-wrap items-center gap-2">
        <span role="status">{t('waiting')}</span>
        <KeepCurrent since={await pageSnapshot()} words={await liveWords()} />
      </span>
    );
  return (
    <div className="grid justify-items-start gap-2">
      {pdf !== null && (
        <span className="text-muted">
          {t(pdf.problem === 'no_engine' ? 'noEngine' : 'notPrinted')}
        </span>
      )}
      <ActionButton action={makePdf} fields={{ id }}>
        {t(pdf === null ? 'make' : 'again')}
      </ActionButton>
    </div>
  );
}
