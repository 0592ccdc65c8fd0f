import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Messages } from '#components/messages.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import {
  FROM_GATEWAY,
  HASH_PARTS,
  HASH_SUBJECTS,
  readHashSubject,
} from '#lib/cards/tools/hash-parts.ts';
import type { HashSubject } from '#lib/cards/tools/hash-parts.ts';
import { signedIn } from '#lib/login/session.ts';
import { ToolTabs } from '../tabs.tsx';
import { CheckForm } from './check-form.tsx';
import { MakeForm } from './make-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('cardTools'))('tabs.hashKeys') };
}

export default async function HashKeysPage({
  searchParams,
}: PageProps<'/cards/tools/hash-keys'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.tools')) return <Forbidden person={person} needs="card.tools" />;
  const subject = readHashSubject((await searchParams)['for']);
  const t = await getTranslations('cardTools');
  return (
    <>
      <PageHead title={t('title')} />
      <ToolTabs role={person.role} current="hashKeys" />
      <p className="max-w-prose text-muted">{t('hashKeys.intro')}</p>
      <Choice subject={subject} />
      <p className="max-w-full font-mono text-mono break-words text-muted">
        {HASH_PARTS[subject].join(' | ')}
      </p>
      <Messages of={['cardTools']}>
        <div key={subject} className="grid items-start gap-5 xl:grid-cols-2">
          <Panel title={t('hashKeys.makeTitle')}>
            {FROM_GATEWAY.includes(subject) ? (
              <EmptyState title={t('hashKeys.fromGateway')}>
                {t('hashKeys.fromGatewayText')}
              </EmptyState>
            ) : (
              <MakeForm subject={subject} />
            )}
          </Panel>
          <Panel list title={t('hashKeys.checkTitle')}>
            <CheckForm subject={subject} />
          </Panel>
        </div>
      </Messages>
    </>
  );
}

async function Choice({ subject }: { subject: HashSubject }): Promise<ReactNode> {
  const t = await getTranslations('cardTools.hashKeys');
  return (
    <FilterForm
      key={subject}
      action="/cards/tools/hash-keys"
      label={t('subject')}
      className="flex flex-wrap items-end gap-3"
    >
      <div className="w-full sm:w-96">
        <Field id="hash-for" label={t('subject')}>
          <Select id="hash-for" name="for" defaultValue={subject} data-shortcut="filter">
            {HASH_SUBJECTS.map((one) => (
              <option key={one} value={one}>
                {t(`subjects.${one}`)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Button type="submit">{t('choose')}</Button>
    </FilterForm>
  );
}
