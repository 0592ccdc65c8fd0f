'use client';

import { useTranslations } from 'next-intl';
import { useState, useTransition } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { PICK_FORM } from '#components/pick-form.ts';
import { usePickedRows } from '#components/picked-rows.tsx';
import { PICK_BAR } from '#components/ui/classes.ts';
import { PressButton } from '#components/ui/press-button.tsx';
import { bringPayees } from './actions.ts';

/** Saves the ticked payees by one press. `drawn`: changes when other rows are shown. */
export function BringBar({ drawn }: { drawn: string }): ReactNode {
  const t = useTranslations('bringRecipients.bar');
  const { picked, none } = usePickedRows(drawn);
  const [answer, setAnswer] = useState<ActionMessage>(null);
  const [pending, start] = useTransition();
  const count = picked.length;
  const save = (): void => {
    if (pending) return;
    const form = new FormData();
    // One field: five hundred of them would be longer than an action may be.
    form.set('ibans', picked.map(({ value }) => value).join(' '));
    start(async () => {
      setAnswer(
        await bringPayees(form).catch((): ActionMessage => ({ ok: false, text: t('unreachable') })),
      );
    });
  };
  return (
    <form
      id={PICK_FORM}
      aria-label={t('label')}
      onSubmit={(event) => event.preventDefault()}
      className={`${PICK_BAR} mt-3 ${count === 0 && answer === null ? 'hidden' : ''}`}
    >
      {count > 0 && (
        <>
          <PressButton look="primary" aria-disabled={pending} onClick={save}>
            {t('save', { count })}
          </PressButton>
          <PressButton look="ghost" onClick={none}>
            {t('none')}
          </PressButton>
        </>
      )}
      <span
        role="status"
        className={`text-label font-medium ${answer?.ok === false ? 'text-failed' : 'text-muted'}`}
      >
        {pending ? t('saving') : answer?.text}
      </span>
    </form>
  );
}
