import { ChevronLeft } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { Messages } from '#components/messages.tsx';
import { FileButton } from '#components/ui/button.tsx';
import { BACK_LINK } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { TEMPLATE_FORMATS } from '#lib/batches/draft/template.ts';
import { signedIn } from '#lib/login/session.ts';
import { lastUsed } from '#lib/payouts/last-used.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { searchText } from '#lib/values/search-text.ts';
import { walletsAtOnce } from '#lib/wallets/view.ts';
import { Earlier } from './earlier.tsx';
import { UploadForm } from './upload-form.tsx';

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
  const [{ known: wallets }, last, t] = await Promise.all([
    walletsAtOnce(person),
    lastUsed(person),
    getTranslations('batches'),
  ]);
  const payable = wallets.value?.filter((wallet) => wallet.payable) ?? [];
  return (
    <>
      <Link href="/batches" className={BACK_LINK}>
        <ChevronLeft aria-hidden className="size-3.5" />
        {t('back')}
      </Link>
      <PageHead title={t('upload.title')} />
      <p className="max-w-prose text-muted">{t('intro')}</p>
      <Messages of={['batches']}>
        <UploadForm
          wallets={payable.map(({ number, name }) => ({ number, name }))}
          chosen={payable.find(({ number }) => number === last.wallet)?.number ?? ''}
        />
      </Messages>
      <Earlier person={person} text={searchText([q].flat()[0] ?? '')} />
      <Panel title={t('upload.templates')}>
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
    </>
  );
}
