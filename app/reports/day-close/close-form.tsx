import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Messages } from '#components/messages.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { formatDate } from '#lib/values/dates.ts';
import type { MonthView } from '#lib/reports/day-close/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { closeWalletDays } from './actions.ts';
import { CloseFields } from './close-fields.tsx';

/** Closing cannot be undone: a dialog states its effect and asks first. */
export async function CloseForm({
  view,
  asks,
}: {
  view: MonthView;
  /** The dialog is open already. */
  asks: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('dayClose.closing');
  const { begun, closable, wallet } = view;
  return (
    <Panel title={t('title')}>
      <MessageArea className="px-4 pt-3">
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
          <p className="max-w-prose text-muted">
            {closable.length === 0 ? t('nothing') : await readyText(view)}
          </p>
          {closable.length > 0 && (
            <ConfirmButton
              action={closeWalletDays}
              fields={{ wallet: wallet.wallet }}
              words={{
                open: t(begun ? 'open' : 'openFirst'),
                title: t(begun ? 'dialog' : 'dialogFirst'),
                confirm: t('confirm'),
                keep: t('keep'),
              }}
              confirmLook="danger"
              asks={asks}
            >
              <Messages of={['dayClose']}>
                <CloseFields begun={begun} days={choicesOf(view)} />
              </Messages>
            </ConfirmButton>
          )}
        </div>
      </MessageArea>
    </Panel>
  );
}

/** What can be closed now. */
async function readyText({ begun, closable }: MonthView): Promise<string> {
  const t = await getTranslations('dayClose.closing');
  const locale = (await getLocale()) as Locale;
  if (!begun) return t('readyFirst');
  const [from, to] = [closable[0]!, closable.at(-1)!].map((day) => formatDate(day, locale));
  return closable.length === 1
    ? t('readyOne', { to: to! })
    : t('ready', { count: closable.length, from: from!, to: to! });
}

function choicesOf({ closable, days }: MonthView): { day: string; hasBreaks: boolean }[] {
  const broken = new Set(days.filter(({ breaks }) => breaks.length > 0).map(({ day }) => day));
  return closable.map((day) => ({ day, hasBreaks: broken.has(day) }));
}
