'use client';

import { useTranslations } from 'next-intl';
import { useState, useTransition } from 'react';
import type { ReactNode } from 'react';
import { Button, FileButton, LinkButton } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { PressButton } from '#components/ui/press-button.tsx';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { isCopied, isUnproven, situationOf } from '#lib/movement-views/situation.ts';
import { movementAddress } from '#lib/movements/kinds.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { askAboutMovement, cancelOwnMovement } from './actions.ts';
import { useWriting } from './words.ts';

type Result =
  | { kind: 'done'; what: 'asked' | 'cancelled' }
  | { kind: 'unreachable' }
  | ActionProblem;

/**
 * What a person can do about this payout now. No button here sends money; paying again opens a
 * form.
 */
export function MovementActions({
  view,
  onChanged,
}: {
  view: MovementView;
  onChanged: () => void;
}): ReactNode {
  const t = useTranslations('payout.actions');
  const refusals = useTranslations('refusals');
  const [result, setResult] = useState<Result | null>(null);
  const [pending, start] = useTransition();
  const [cancelling, setCancelling] = useState(false);
  const run = (
    what: 'asked' | 'cancelled',
    action: (id: string) => Promise<{ kind: 'done' } | ActionProblem>,
  ): void => {
    if (pending) return;
    start(async () => {
      const answer = await action(view.id).catch(() => ({ kind: 'unreachable' }) as const);
      setResult(answer.kind === 'done' ? { kind: 'done', what } : answer);
      setCancelling(false);
      onChanged();
      // The pressed button may have disappeared with the state it was for.
      if (what === 'cancelled') document.getElementById('situation')?.focus();
    });
  };
  return (
    <div className="grid shrink-0 content-start gap-1.5 sm:w-104">
      {/* Buttons that appear later are added on the left, so that no button moves under the
          pointer. */}
      <div className="flex flex-wrap justify-end gap-2">
        {view.can.payAgain && <AgainAction view={view} />}
        {view.can.decide && (
          <LinkButton look="primary" href={`/approvals/${view.id}`}>
            {t('decide')}
          </LinkButton>
        )}
        <ReceiptAction view={view} />
        {view.can.cancel && (
          <PressButton look="danger" onClick={() => setCancelling(true)}>
            {t('cancel')}
          </PressButton>
        )}
        {view.can.ask && (
          <PressButton
            data-shortcut="ask"
            aria-disabled={pending}
            onClick={() => run('asked', askAboutMovement)}
          >
            {t('ask')}
          </PressButton>
        )}
      </div>
      <p role="status" className="min-h-4 text-right text-label">
        {result && wordsOf(result, t, refusals)}
      </p>
      <CancelDialog
        view={view}
        open={cancelling}
        pending={pending}
        onKeep={() => setCancelling(false)}
        onCancel={() => run('cancelled', cancelOwnMovement)}
      />
    </div>
  );
}

function CancelDialog({
  view,
  open,
  pending,
  onKeep,
  onCancel,
}: {
  view: MovementView;
  open: boolean;
  pending: boolean;
  onKeep: () => void;
  onCancel: () => void;
}): ReactNode {
  const t = useTranslations('payout.actions');
  const { money } = useWriting();
  const amount = money(view.amount, view.currency);
  const text = isUnproven(view)
    ? 'cancelTextUnproven'
    : view.ibanWaits > 0
      ? 'cancelTextRefused'
      : 'cancelText';
  return (
    <Dialog open={open} onClose={onKeep} title={t('cancelTitle')}>
      <p>{t(text, { amount, name: view.name })}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button autoFocus onClick={onKeep}>
          {t('keep')}
        </Button>
        <Button look="danger" aria-disabled={pending} onClick={onCancel}>
          {t('cancelConfirm', { amount })}
        </Button>
      </div>
    </Dialog>
  );
}

function ReceiptAction({ view: { receipt, can } }: { view: MovementView }): ReactNode {
  const t = useTranslations('payout.actions');
  if (receipt === null) return null;
  if (receipt.state === 'READY')
    return (
      <>
        <FileButton
          look={can.payAgain ? 'secondary' : 'primary'}
          href={`/receipts/${receipt.id}/raw?download=1`}
          download
        >
          {t('receiptDownload')}
        </FileButton>
        <LinkButton href={`/receipts/${receipt.id}`}>{t('receipt')}</LinkButton>
      </>
    );
  return (
    <LinkButton href={`/receipts/${receipt.id}`}>
      {t(receipt.state === 'WAITING' ? 'receiptWaiting' : 'receiptFailed')}
    </LinkButton>
  );
}

/**
 * A link to a new payout that refers to this one, so that the provider is first asked about this
 * one; a payout that was never sent is only copied.
 */
function AgainAction({ view }: { view: MovementView }): ReactNode {
  const t = useTranslations('payout.actions');
  const neverSent = isCopied(view);
  const words = neverSent
    ? 'copy'
    : situationOf(view) === 'sent_back'
      ? 'submitAgain'
      : view.state === 'COMPLETED'
        ? 'payAgainReturned'
        : 'payAgain';
  return (
    <LinkButton
      look="primary"
      prefetch={false}
      href={movementAddress({
        kind: view.kind,
        id: `new?${neverSent ? 'copy' : 'retry_of'}=${view.id}`,
      })}
    >
      {t(words)}
    </LinkButton>
  );
}

function wordsOf(
  result: Result,
  t: ReturnType<typeof useTranslations<'payout.actions'>>,
  refusals: ReturnType<typeof useTranslations<'refusals'>>,
): string {
  switch (result.kind) {
    case 'done':
      return t(result.what);
    case 'unreachable':
      return t('unreachable');
    case 'refused':
      return refusals(result.code, result.params);
    case 'signed_out':
      return refusals('signed_out');
    case 'failed':
      return refusals('failed', { errorId: result.errorId });
    case 'fields':
      return refusals('not_found');
  }
}
