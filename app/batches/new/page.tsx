import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { Messages } from '#components/messages.tsx';
import { FileButton } from '#components/ui/button.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { TEMPLATE_FORMATS } from '#lib/batches/draft/template.ts';
import type { Field } from '#lib/batches/file/headings.ts';
import { signedIn } from '#lib/login/session.ts';
import { lastUsed } from '#lib/payouts/last-used.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { searchText } from '#lib/values/search-text.ts';
import { walletsAtOnce } from '#lib/wallets/view.ts';
import { Earlier } from './earlier.tsx';
import { UploadForm } from './upload-form.tsx';

const NEEDED_COLUMNS: readonly Field[] = ['name', 'iban', 'taxNumber', 'amount'];
const FURTHER_COLUMNS: readonly Field[] = ['paymentType', 'description', 'recipient', 'person'];

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('batches.upload'))('title') };
}

export default async function NewBatchPage({
  searchParams,
}: PageProps<'/batches/new'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'payout.prepare'))
    return <Forbidden person={person} needs="payout.prepare" />;
  const { q } = await searchParams;
  const [{ known: wallets }, last, t, fields] = await Promise.all([
    walletsAtOnce(person),
    lastUsed(person),
    getTranslations('batches'),
    getTranslations('batchFile.fields'),
  ]);
  const list = (columns: readonly Field[]): string => columns.map((one) => fields(one)).join(', ');
  const payable = wallets.value?.filter((wallet) => wallet.payable) ?? [];
  return (
    <>
      <BackLink href="/batches">{t('back')}</BackLink>
      <PageHead title={t('upload.title')} />
      <p className="max-w-prose text-muted">{t('intro')}</p>
      <Messages of={['batches']}>
        <UploadForm
          wallets={payable.map(({ number, name }) => ({ number, name }))}
          isRead={wallets.value !== null}
          chosen={payable.find(({ number }) => number === last.wallet)?.number ?? ''}
        />
      </Messages>
      <Panel title={t('upload.templates')}>
        <p className="max-w-prose px-4 pt-4 text-muted">
          {t('upload.columns', { needed: list(NEEDED_COLUMNS), further: list(FURTHER_COLUMNS) })}
        </p>
        <div className="flex flex-wrap gap-2 p-4">
          {TEMPLATE_FORMATS.flatMap((format) =>
            LOCALES.map((language) => (
              <FileButton
                key={`${format}-${language}`}
                href={`/api/batches/template?format=${format}&language=${language}`}
                download
              >
                {t('upload.template', {
                  format: format.toUpperCase(),
                  language: t(`upload.languages.${language}`),
                })}
              </FileButton>
            )),
          )}
        </div>
      </Panel>
      <Earlier person={person} text={searchText([q].flat()[0] ?? '')} />
    </>
  );
}
