import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Profile } from '#lib/exports/profile.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { previewArchive } from '#lib/receipts/archives/ask.ts';
import type { NameTemplate } from '#lib/receipts/file-name.ts';
import { readReceiptQuery, receiptParams } from '#lib/receipts/filter.ts';
import { signedIn } from '#lib/login/session.ts';
import { chosenWords } from '../archive-words.ts';
import { ArchiveForm } from './archive-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('receipts.archives'))('new.title') };
}

/**
 * The file's contents before it is requested: the list's own filter, or the rows ticked in it
 * (`?pick=`).
 */
export default async function NewArchivePage({
  searchParams,
}: PageProps<'/receipts/archives/new'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'receipt.read') || !may(person.role, 'export.make'))
    return <Forbidden person={person} needs="export.make" />;
  const params = await searchParams;
  const { filter } = readReceiptQuery(params);
  const picked = params['pick'] === undefined ? null : [params['pick']].flat();
  const preview = await previewArchive(person, filter, picked);
  const count = preview.ready + preview.waiting + preview.failed;
  const t = await getTranslations('receipts.archives');
  const words = await chosenWords(filter, picked === null ? null : count);
  const address = addressOf(receiptParams(filter));
  return (
    <>
      <PageHead title={t('new.title')}>
        <LinkButton href={`/receipts${address}`}>{t('back')}</LinkButton>
      </PageHead>
      <Panel>
        {count === 0 && !preview.ledger ? (
          <EmptyState title={t('new.nothing')} />
        ) : (
          <>
            <Facts>
              <Fact label={t('chosen')}>
                {words.length === 0 ? (
                  t('everything')
                ) : (
                  <ul>
                    {words.map((one) => (
                      <li key={one}>{one}</li>
                    ))}
                  </ul>
                )}
              </Fact>
              <Fact label={t('asked')}>
                <span className="tabular-nums">
                  {t('new.counts', { count, ready: preview.ready, missing: count - preview.ready })}
                </span>
              </Fact>
            </Facts>
            <div className="border-t border-hairline">
              <ArchiveForm
                filter={address}
                picked={picked}
                words={{
                  ledger: preview.ledger ? t('new.ledger', { count: preview.ledger }) : null,
                  template: t('new.template'),
                  templates: t.raw('templates') as Record<
                    NameTemplate,
                    { name: string; text: string }
                  >,
                  ascii: t('new.ascii'),
                  profile: t('new.profile'),
                  profiles: t.raw('profiles') as Record<Profile, string>,
                  submit: t('new.submit'),
                }}
              >
                <p className="max-w-prose text-label text-muted">{t('new.text')}</p>
              </ArchiveForm>
            </div>
          </>
        )}
      </Panel>
    </>
  );
}
