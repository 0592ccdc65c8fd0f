'use client';

import { useTranslations } from 'next-intl';
import { createContext, use, useState } from 'react';
import type { ReactNode } from 'react';
import { PressButton } from '#components/ui/press-button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { Operation } from '#lib/cards/operations/operation.ts';
import type { Operable } from './operable.ts';
import { OperationForm } from './operation-form.tsx';

type Asked = { operation: Operation; payment: Operable };

const DeskContext = createContext<(asked: Asked) => void>(() => undefined);

/**
 * The one dialog of a page. It stands outside the rows: a row that is redrawn or leaves the list
 * would lose what was typed. `quiet`: the page itself shows the open operation, so it is only
 * announced to screen readers. Needs the namespaces "cardDialogs" and "refusals".
 */
export function OperationDesk({
  quiet = false,
  children,
}: {
  quiet?: boolean;
  children: ReactNode;
}): ReactNode {
  const t = useTranslations('cardDialogs');
  const [asked, setAsked] = useState<Asked | null>(null);
  const [message, setMessage] = useState('');
  const open = (next: Asked): void => {
    setMessage('');
    setAsked(next);
  };
  const started = (words: string): void => {
    setMessage(words);
    setAsked(null);
  };
  return (
    <DeskContext value={open}>
      <p role="status" className={quiet ? 'sr-only' : 'font-medium text-progress empty:hidden'}>
        {message}
      </p>
      {children}
      <Dialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={asked === null ? '' : t(`${asked.operation}.title`)}
        closeLabel={t('close')}
      >
        {asked !== null && (
          <OperationForm
            key={`${asked.operation} ${asked.payment.id}`}
            operation={asked.operation}
            payment={asked.payment}
            onStarted={started}
            onKeep={() => setAsked(null)}
          />
        )}
      </Dialog>
    </DeskContext>
  );
}

/** Opens the dialog. `main`: the primary button of the page. */
export function OperateButton({
  operation,
  payment,
  main = false,
  small = false,
}: Asked & { main?: boolean; small?: boolean }): ReactNode {
  const t = useTranslations('cardDialogs');
  const open = use(DeskContext);
  return (
    <PressButton
      look={
        main
          ? 'primary'
          : operation === 'release' && !small
            ? 'danger'
            : small
              ? 'ghost'
              : 'secondary'
      }
      aria-haspopup="dialog"
      aria-label={small ? `${t(`${operation}.open`)}: ${payment.invoiceId}` : undefined}
      onClick={() => open({ operation, payment })}
    >
      {t(`${operation}.open`)}
    </PressButton>
  );
}
