import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { removeDevice } from '#app/notifications/actions.ts';
import type { PushSettings } from '#lib/notifications/push/devices.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import { deviceOf } from '#lib/values/device-name.ts';
import type { Locale } from '#lib/values/locale.ts';
import { ThisDevice } from './this-device.tsx';

/** Notifications that the browser shows: whether this one does, and the person's other devices. */
export async function PushDevices({ settings }: { settings: PushSettings }): Promise<ReactNode> {
  const t = await getTranslations('notifications.devices');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  return (
    <Panel title={<span id="push">{t('title')}</span>}>
      <div className="grid gap-3 px-4 py-3">
        <p className="text-muted">{t('text')}</p>
        <ThisDevice
          identity={settings.identity}
          marks={settings.devices.map(({ mark }) => mark)}
          words={{
            states: t.raw('states') as Record<string, string>,
            add: t('add'),
            stop: t('stop'),
          }}
        />
        <MessageArea className="">
          {settings.devices.length > 0 && (
            <div className="grid gap-1 border-t border-hairline pt-3">
              <p className="font-medium">{t('list')}</p>
              <ul className="grid gap-1">
                {settings.devices.map(({ id, agent, addedAt }) => {
                  const name = (agent === null ? null : deviceOf(agent)) ?? t('unnamed');
                  return (
                    <li key={id} className="flex flex-wrap items-center justify-between gap-2">
                      <span className="min-w-0 wrap-anywhere">
                        {name}{' '}
                        <span className="text-label text-muted">
                          {t('since', { at: formatDateTime(addedAt, locale, { zone }) })}
                        </span>
                      </span>
                      <ActionButton
                        action={removeDevice}
                        fields={{ id }}
                        look="ghost"
                        label={t('removeLabel', { name })}
                      >
                        {t('removeOne')}
                      </ActionButton>
                    </li>
                  );
                })}
              </ul>
            </div>
          )}
        </MessageArea>
      </div>
    </Panel>
  );
}
