import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { dayWords } from '#components/day-words.ts';
import { MessageArea } from '#components/message-area.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { STOP_REASON_MAX } from '#lib/form-fields/stop-reason.ts';
import type { Deputies } from '#lib/people/deputies.ts';
import { DEPUTY_DAYS_MAX } from '#lib/people/deputy-rules.ts';
import { nameDeputyNow } from './actions.ts';
import { DeputyTable } from './deputy-table.tsx';
import { DayField, PersonField, TypedField } from './fields.tsx';

/** Who stands in for whom, and the dialog in which one names a deputy. */
export async function DeputiesPanel({ deputies }: { deputies: Deputies }): Promise<ReactNode> {
  const t = await getTranslations('people.deputies');
  const { rows, choices, alone } = deputies;
  return (
    <Panel list title={t('title')}>
      <p className="max-w-prose px-4 py-3 text-muted">{t('text', { days: DEPUTY_DAYS_MAX })}</p>
      <MessageArea>
        {rows.length === 0 ? (
          <p className="px-4 pb-3 text-muted">{t('none')}</p>
        ) : (
          <DeputyTable rows={rows} />
        )}
      </MessageArea>
      {choices.people.length > 0 && (
        <div className="grid gap-3 border-t border-hairline px-4 py-3">
          {choices.deputies.length === 0 ? (
            <p className="max-w-prose text-muted">{t('noDeputy')}</p>
          ) : (
            <>
              <p className="max-w-prose text-muted">{t(alone ? 'alone' : 'two')}</p>
              <div>
                <NameDeputy deputies={deputies} />
              </div>
            </>
          )}
        </div>
      )}
    </Panel>
  );
}

async function NameDeputy({ deputies }: { deputies: Deputies }): Promise<ReactNode> {
  const t = await getTranslations('people.deputies');
  const { choices, today } = deputies;
  const words = await dayWords();
  return (
    <ConfirmButton
      action={nameDeputyNow}
      fields={{}}
      words={{ open: t('open'), title: t('openTitle'), confirm: t('confirm'), keep: t('keep') }}
    >
      <PersonField name="person" label={t('for')} options={choices.people} />
      <PersonField name="deputy" label={t('deputy')} options={choices.deputies} />
      <div className="grid gap-4 sm:grid-cols-2">
        <DayField name="first" label={t('firstDay')} value={today} words={words} />
        <DayField name="last" label={t('lastDay')} value={null} words={words} />
      </div>
      <p className="text-label text-muted">{t('lastDayHint')}</p>
      <TypedField name="reason" label={t('reason')} max={STOP_REASON_MAX} />
    </ConfirmButton>
  );
}
