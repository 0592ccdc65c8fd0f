import { getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { Field, TextInput } from '#components/ui/field.tsx';
import type { NotificationChoice, NotificationSettings } from '#lib/notifications/choices.ts';
import { ChoicesForm } from './choices-form.tsx';

/** What the person is told, by kind and channel, and the quiet hours. */
export async function Notifications({
  settings,
}: {
  settings: NotificationSettings;
}): Promise<ReactNode> {
  const t = await getTranslations('notifications.choices');
  const { choices, quiet, hasMail } = settings;
  return (
    <Panel list title={<span id="notifications">{t('title')}</span>}>
      <p className="px-4 pt-3 pb-1 text-muted">
        {t('text')} {!hasMail && t('noMail')}
      </p>
      <ChoicesForm save={t('save')}>
        <Table
          caption={t('caption')}
          head={
            <>
              <Head>{t('kind')}</Head>
              <Head>{t('app')}</Head>
              {hasMail && <Head>{t('mail')}</Head>}
              <Head>{t('push')}</Head>
            </>
          }
        >
          {choices.map((choice) => (
            <ChoiceLine key={choice.kind} choice={choice} hasMail={hasMail} />
          ))}
        </Table>
        <QuietHours key={`${quiet.from}-${quiet.to}`} quiet={quiet} />
      </ChoicesForm>
    </Panel>
  );
}

async function ChoiceLine({
  choice: { kind, app, mail, push, waits },
  hasMail,
}: {
  choice: NotificationChoice;
  hasMail: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('notifications.choices');
  const name = (await getTranslations('notifications'))(`kinds.${kind}.name`);
  return (
    <Row>
      <Cell first>
        <span className="font-medium">{name}</span>
        {!waits && <span className="block text-label text-muted">{t('always')}</span>}
      </Cell>
      <Cell label={t('app')}>
        <Tick name="app" kind={kind} on={app} label={t('appOf', { name })} />
      </Cell>
      {hasMail && (
        <Cell label={t('mail')}>
          <Tick name="mail" kind={kind} on={mail} label={t('mailOf', { name })} />
        </Cell>
      )}
      <Cell label={t('push')}>
        <Tick name="push" kind={kind} on={push} label={t('pushOf', { name })} />
      </Cell>
    </Row>
  );
}

/** `key`: what is stored is drawn again after it was saved. */
function Tick({
  name,
  kind,
  on,
  label,
}: {
  name: 'app' | 'mail' | 'push';
  kind: string;
  on: boolean;
  label: string;
}): ReactNode {
  return (
    <input
      key={String(on)}
      type="checkbox"
      name={name}
      value={kind}
      defaultChecked={on}
      aria-label={label}
      className="size-4 accent-accent pointer-coarse:size-6"
    />
  );
}

async function QuietHours({ quiet }: { quiet: NotificationSettings['quiet'] }): Promise<ReactNode> {
  const t = await getTranslations('notifications.choices');
  return (
    <fieldset className="grid gap-2 border-t border-hairline px-4 py-3">
      <legend className="float-left font-medium">{t('quiet')}</legend>
      <p className="text-label text-muted">{t('quietText', { zone: await getTimeZone() })}</p>
      <div className="flex flex-wrap gap-3">
        {(['from', 'to'] as const).map((edge) => (
          <Field key={edge} id={`quiet-${edge}`} label={t(edge)}>
            <TextInput
              id={`quiet-${edge}`}
              name={edge}
              type="time"
              defaultValue={quiet[edge]}
              className="max-w-36"
            />
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
