import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { EraseButton } from './erase-button.tsx';

/**
 * The personal values of one person that can still be erased, for the owner, when the page is
 * filtered by that person.
 */
export async function Erasure({
  personId,
  values,
  name,
}: {
  personId: string;
  values: number;
  name: string;
}): Promise<ReactNode> {
  const t = await getTranslations('audit.erase');
  const words = {
    open: t('open', { name }),
    title: t('title', { name }),
    text: t('confirmText', { count: values }),
    reason: t('reason'),
    hint: t('reasonHint'),
    keep: t('keep'),
    confirm: t('confirm', { count: values }),
  };
  return (
    <Panel title={t('panel')}>
      <div className="grid justify-items-start gap-3 px-4 py-4">
        <p className="max-w-prose text-muted">
          {values === 0 ? t('nothing', { name }) : t('text', { count: values, name })}
        </p>
        <EraseButton personId={personId} nothing={values === 0} words={words} />
      </div>
    </Panel>
  );
}
