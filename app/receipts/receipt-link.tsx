import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { Link } from '#components/ui/link.tsx';
import type { ReceiptRef } from '#lib/receipts/request.ts';
import { wantReceiptOf } from './actions.ts';

/**
 * The receipt of a ledger entry, for a row or a page about that entry: a link to it, or a button
 * that requests it. `receipt` as `receiptsOf` returns it: undefined for an entry that is not
 * mirrored yet, whose receipt cannot be requested. `mayAsk`: the role may `movement.ask`. `of`
 * names the entry to screen readers.
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
  const state = t(receipt.state);
  return (
    <Link
      href={`/receipts/${receipt.id}`}
      prefetch={false}
      aria-label={t('openOne', { state, of })}
      className="font-medium whitespace-nowrap text-accent hover:underline"
    >
      {state}
    </Link>
  );
}
