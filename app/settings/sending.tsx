import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { STOPPABLE_KINDS } from '#lib/send-control/stops.ts';
import type { Stop } from '#lib/send-control/stops.ts';
import type { SendingView } from '#lib/send-control/view.ts';
import { beginRecoveryNow } from './recovery-actions.ts';
import { askToLetGo, letSendingGo, stopSendingNow, takeBackLettingGo } from './sending-actions.ts';

/**
 * What stops sending, how to stop it and how to resume it. Everybody sees it; two roles can change
 * it.
 */
export async function Sending({
  sending,
  person,
}: {
  sending: SendingView;
  person: Person;
}): Promise<ReactNode> {
  const t = await getTranslations('sending');
  const inControl = may(person.role, 'sending.control');
  const isAllStopped = sending.stops.some((stop) => stop.kind === 'all');
  const mayStop =
    inControl && !sending.stops.some((stop) => stop.kind === 'all' && stop.cause === 'person');
  const free = STOPPABLE_KINDS.filter(
    (kind) => !sending.stops.some((stop) => stop.kind === kind && stop.cause === 'person'),
  );
  return (
    <Panel title={t('title')}>
      <div id="sending" className="grid gap-5 px-4 py-3">
        <MessageArea className="">
          {sending.stops.map((stop) => (
            <Stopped
              key={`${stop.kind} ${stop.cause}`}
              stop={stop}
              waiting={sending.waiting}
              person={person}
              inControl={inControl}
            />
          ))}
          {sending.stops.length === 0 && (
            <p>
              {t('going')}{' '}
              <span className="text-muted">{t('waiting', { count: sending.waiting })}</span>
            </p>
          )}
          {mayStop && (
            <section className="grid gap-3">
              <h3 className="font-semibold">{t('stop.title')}</h3>
              <p className="max-w-prose text-muted">
                {t(isAllStopped ? 'stop.also' : 'stop.text')}
              </p>
              <ReasonForm
                action={stopSendingNow}
                fields={{}}
                label={t('stop.reason')}
                hint={t('stop.reasonHint')}
                button={t('stop.button')}
                look="danger"
              >
                <Field id="stop-kind" label={t('stop.kind')}>
                  <Select id="stop-kind" name="kind">
                    {free.map((kind) => (
                      <option key={kind} value={kind}>
                        {t(`kinds.${kind}`)}
                      </option>
                    ))}
                  </Select>
                </Field>
              </ReasonForm>
            </section>
          )}
          {inControl && !sending.stops.some((stop) => stop.cause === 'recovery') && <Restored />}
          {!inControl && <p className="text-label text-muted">{t('onlySome')}</p>}
        </MessageArea>
      </div>
    </Panel>
  );
}

/**
 * The form that reports a restored backup. It is folded, because it is needed once in years and
 * must not be sent by accident.
 */
async function Restored(): Promise<ReactNode> {
  const t = await getTranslations('recovery.begin');
  return (
    <details>
      <summary className="font-semibold">{t('title')}</summary>
      <div className="grid gap-3 pt-3">
        <p className="max-w-prose text-muted">{t('text')}</p>
        <ReasonForm
          action={beginRecoveryNow}
          fields={{}}
          label={t('reason')}
          button={t('button')}
          look="danger"
        />
      </div>
    </details>
  );
}

async function Stopped({
  stop,
  waiting,
  person,
  inControl,
}: {
  stop: Stop;
  waiting: number;
  person: Person;
  inControl: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('sending');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const at = (iso: string): string => formatDateTime(iso, locale, { zone, seconds: true });
  return (
    <section className="grid gap-3">
      <Banner tone="attention" title={`${t(`kinds.${stop.kind}`)}: ${t(`band.${stop.cause}`)}`}>
        <p>
          {t(`held.${stop.cause}`, { by: stop.by ?? '', at: at(stop.since), reason: stop.reason })}
        </p>
        <p>{t('waiting', { count: waiting })}</p>
        {stop.release && (
          <p className="font-medium">
            {t('release.askedBy', {
              by: stop.release.by,
              at: at(stop.release.at),
              reason: stop.release.reason,
            })}
          </p>
        )}
      </Banner>
      {inControl && <LettingGo stop={stop} waiting={waiting} person={person} />}
    </section>
  );
}

/** The forms to resume sending after this stop: one person requests it, another one confirms. */
async function LettingGo({
  stop,
  waiting,
  person,
}: {
  stop: Stop;
  waiting: number;
  person: Person;
}): Promise<ReactNode> {
  const t = await getTranslations('sending');
  const which = { kind: stop.kind, cause: stop.cause };
  const what = t(`kinds.${stop.kind}`);
  return (
    <>
      {stop.cause !== 'person' && <p className="text-label text-muted">{t('release.ownerToo')}</p>}
      {stop.release === null ? (
        <ReasonForm
          action={askToLetGo}
          fields={which}
          label={t('release.ask', { what })}
          hint={t('release.askHint')}
          button={t('release.askButton')}
        />
      ) : stop.release.byId === person.personId ? (
        <div className="grid gap-3">
          <p className="text-label text-muted">{t('release.second')}</p>
          <ReasonForm
            action={takeBackLettingGo}
            fields={which}
            label={t('release.takeBack', { what })}
            button={t('release.takeBackButton')}
          />
        </div>
      ) : (
        <div>
          <ActionButton
            action={letSendingGo}
            fields={which}
            look="primary"
            label={`${t('release.confirm', { count: waiting })}: ${what}`}
          >
            {t('release.confirm', { count: waiting })}
          </ActionButton>
        </div>
      )}
    </>
  );
}
