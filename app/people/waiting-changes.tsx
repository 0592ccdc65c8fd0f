import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { Link } from '#components/ui/link.tsx';
import type { WaitingChange } from '#lib/people/waiting.ts';
import { formatDate, formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { confirmPersonChange, endDeputyNow, endPersonRequest } from './actions.ts';
import { limitWords } from './limit-words.ts';

/** What one person has asked for and a second one has to confirm. `linked`: with the person's page. */
export function WaitingChanges({
  changes,
  linked = false,
}: {
  changes: readonly WaitingChange[];
  linked?: boolean;
}): ReactNode {
  return (
    <MessageArea className="">
      {changes.length > 0 && (
        <div className="grid gap-2">
          {changes.map((change) => (
            <Waiting key={`${change.subject.kind} ${change.subject.id}`} {...{ change, linked }} />
          ))}
        </div>
      )}
    </MessageArea>
  );
}

async function Waiting({
  change,
  linked,
}: {
  change: WaitingChange;
  linked: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('people.waiting');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const sentence = await sentenceOf(change);
  return (
    <Banner
      tone="attention"
      title={sentence}
      actions={
        (change.can.confirm || change.can.end) && (
          <>
            {change.can.confirm && <Confirm change={change} sentence={sentence} />}
            {change.can.end && (
              <ActionButton
                action={change.subject.kind === 'deputy' ? endDeputyNow : endPersonRequest}
                fields={{ kind: change.subject.kind, id: change.subject.id }}
                label={t(change.own ? 'withdrawLabel' : 'declineLabel', { who: change.who })}
              >
                {t(change.own ? 'withdraw' : 'decline')}
              </ActionButton>
            )}
          </>
        )
      }
    >
      <p className="wrap-anywhere">
        {t('asked', {
          by: change.by,
          at: formatDateTime(change.at, locale, { zone }),
          reason: change.reason,
        })}
      </p>
      <p>
        {t(change.own ? 'ownUntil' : 'until', {
          at: formatDateTime(change.until, locale, { zone }),
        })}
      </p>
      {linked && ['person', 'limits'].includes(change.subject.kind) && (
        <Link
          href={`/people/${change.subject.id}`}
          className="font-medium underline underline-offset-2"
        >
          {t('open', { who: change.who })}
        </Link>
      )}
    </Banner>
  );
}

async function Confirm({
  change,
  sentence,
}: {
  change: WaitingChange;
  sentence: string;
}): Promise<ReactNode> {
  const t = await getTranslations('people.waiting');
  return (
    <ConfirmButton
      action={confirmPersonChange}
      fields={{ kind: change.subject.kind, id: change.subject.id, claim: change.claim }}
      words={{
        open: t('confirm'),
        label: t('confirmLabel', { who: change.who }),
        title: t('confirmTitle'),
        confirm: t('confirm'),
        keep: t('notNow'),
      }}
    >
      <p className="wrap-anywhere">{sentence}</p>
      <p className="text-label wrap-anywhere text-muted">“{change.reason}”</p>
      <p className="text-label text-muted">{t('confirmText')}</p>
    </ConfirmButton>
  );
}

/** What would change, as a sentence without the person who asks. */
async function sentenceOf({ change, who, was }: WaitingChange): Promise<string> {
  const t = await getTranslations('people.waiting');
  const roles = await getTranslations('shell.roles');
  switch (change.kind) {
    case 'invite':
      return t('invite', { who, to: roles(change.role) });
    case 'role':
      return t('role', { who, from: was === null ? '–' : roles(was), to: roles(change.role) });
    case 'limit':
      return t('limit', { who, ...(await limitWords(change.limit)) });
    case 'deputy': {
      const locale = (await getLocale()) as Locale;
      const first = formatDate(change.firstDay, locale);
      return t('deputy', { who, of: change.of, first, last: formatDate(change.lastDay, locale) });
    }
    case 'enable':
    case 'disable':
      return t(change.kind, { who });
  }
}
