import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { Link } from '#components/ui/link.tsx';
import type { ReceiptRef } from '#lib/receipts/request.ts';
import { wantReceiptOf } from './actions.ts';

/**
 * The receipt of a line of the ledger, for a row or a page about that line: where it is, or a
 * button that asks for it. `receipt` as `receiptsOf` gives it: undefined for a line that is not
 * mirrored yet, of which nothing can be asked. `mayAsk`: the role may `movement.ask`. `of` names
 * the line to whoever cannot see the row.
 */
export async function ReceiptLink({
  recordId,
  receipt,
  mayAsk,
  of,
}: {
  recordId: string;
  receipt: ReceiptRef | null | undefined;
  mayAsk: boolean;
  of: string;
}): Promise<ReactNode> {
  const t = await getTranslations('receipts.link');
  if (receipt === undefined || (receipt === null && !mayAsk)) return null;
  if (receipt === null)
    return (
      <ActionButton
        action={wantReceiptOf}
        fields={{ record: recordId }}
        look="ghost"
        label={t('wantOne', { of })}
      >
        {t('want')}
      </ActionButton>
    );
  return (
    <Link
      href={`/receipts/${receipt.id}`}
      prefetch={false}
      aria-label={t('openOne', { of })}
      className="font-medium whitespace-nowrap text-accent hover:underline"
    >
      {t(receipt.state)}
    </Link>
  );
}
