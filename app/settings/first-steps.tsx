import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { restoreFirstSteps } from '#app/onboarding/actions.ts';
import { ActionButton } from '#components/action-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { DismissedOnboarding } from '#lib/onboarding/view.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/** The button that shows the list of first steps again; nothing while the list is not hidden. */
export async function FirstSteps({
  dismissed,
}: {
  dismissed: DismissedOnboarding | null;
}): Promise<ReactNode> {
  const t = await getTranslations('onboarding');
  const [locale, zone] = [(await getLocale()) as Locale, await getTimeZone()];
  return (
    <MessageArea className="">
      {dismissed !== null && (
        <Panel title={t('title')}>
          <div className="grid justify-items-start gap-3 px-4 py-3">
            <p className="max-w-prose text-muted">
              {t('putAway', {
                by: dismissed.by,
                at: formatDateTime(dismissed.at, locale, { zone }),
                count: dismissed.open,
              })}
            </p>
            <ActionButton action={restoreFirstSteps} fields={{}}>
              {t('restore')}
            </ActionButton>
          </div>
        </Panel>
      )}
    </MessageArea>
  );
}
