import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { closeCase } from '#app/money-in/actions.ts';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { BackLink } from '#components/back-link.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { Link } from '#components/ui/link.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { signedIn } from '#lib/login/session.ts';
import { viewCase } from '#lib/money-in/cases.ts';
import type { CaseView } from '#lib/money-in/cases.ts';
import { walletNames } from '#lib/wallets/names.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { RawText } from '../../raw-text.tsx';
import { CaseStatePill, LikelyWallet } from '../case-words.tsx';
import { CaseFacts } from './case-facts.tsx';
import { TellPanel } from './tell-panel.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('moneyIn'))('failed.title') };
}

export default async function FailedTopUpPage({
  params,
}: PageProps<'/money-in/failed/[id]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'wallet.read')) return <Forbidden person={person} needs="wallet.read" />;
  const [one, wallets] = await Promise.all([
    viewCase(person, (await params).id),
    walletNames(person),
  ]);
  if (one === null) notFound();
  const t = await getTranslations('moneyIn');
  const locale = (await getLocale()) as Locale;
  const amount =
    one.amount === null ? t('noAmount') : formatMoney(one.amount, one.currency ?? '', locale);
  return (
    <>
      <BackLink href="/money-in/failed">{t('failed.title')}</BackLink>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-display tracking-[-0.01em] tabular-nums">{amount}</span>
            {t(`failed.kinds.${one.kind}`)}
            <CaseStatePill state={one.state} />
          </span>
        }
      >
        <LiveChanges kinds={['top_up']} />
      </PageHead>
      <CaseBanners one={one} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="grid gap-5">
          <Panel title={t('failed.sections.likely')}>
            <div className="px-4 py-3">
              <LikelyWallet likely={one.likely} wallets={wallets} />
            </div>
          </Panel>
          <Panel title={t('failed.sections.facts')}>
            <CaseFacts one={one} />
            {one.raw !== null && <RawText title={t('detail.rawNotice')} text={one.raw} />}
          </Panel>
        </div>
        <div className="grid gap-5">
          <TellPanel one={one} />
          {one.state !== 'arrived' && one.candidates.length > 0 && (
            <Candidates one={one} wallets={wallets} />
          )}
          {one.can.handle && (
            <Panel title={t('failed.sections.close')}>
              <div className="px-4 py-3">
                <ReasonForm
                  action={closeCase}
                  fields={{ id: one.id, lastAt: one.lastAt }}
                  label={t('failed.note')}
                  hint={t('failed.noteHint')}
                  button={t('failed.close')}
                />
              </div>
            </Panel>
          )}
        </div>
      </div>
    </>
  );
}

/** What became of the money, as far as it is known, and what a person noted about it. */
async function CaseBanners({ one }: { one: CaseView }): Promise<ReactNode> {
  const t = await getTranslations('moneyIn');
  return (
    <>
      {one.state === 'arrived' ? (
        <Banner tone="settled">
          {t('failed.arrivedAs')}{' '}
          {one.recordId && (
            <Link href={`/money-in/${one.recordId}`} className="font-medium underline">
              {t('failed.openRecord')}
            </Link>
          )}
        </Banner>
      ) : (
        <Banner tone={one.state === 'open' ? 'attention' : 'draft'}>
          {t(`failed.kindTexts.${one.kind}`)} {t('failed.unknownFate')}
        </Banner>
      )}
      {one.handled && (
        <Banner tone="draft">
          {t(one.state === 'handled' ? 'failed.handled' : 'failed.handledBefore', {
            name: one.handled.by,
            note: one.handled.note,
          })}
        </Banner>
      )}
    </>
  );
}

async function Candidates({
  one,
  wallets,
}: {
  one: CaseView;
  wallets: WalletName[];
}): Promise<ReactNode> {
  const t = await getTranslations('moneyIn');
  return (
    <Panel title={t('failed.sections.candidates')}>
      <p className="px-4 pt-3 text-muted">{t('failed.candidatesText')}</p>
      <ul className="grid gap-2 px-4 py-3">
        {one.candidates.map((line) => (
          <li key={line.id}>
            <Link href={`/money-in/${line.id}`} className="font-medium text-accent hover:underline">
              {line.senderName === null ? t('noSender') : <bdi>{line.senderName}</bdi>}
            </Link>
            <span className="block text-label text-muted">
              <When at={line.at} now={one.now} /> ·{' '}
              {wallets.find((wallet) => wallet.number === line.wallet)?.name ?? line.wallet} ·{' '}
              <bdi>{line.description ?? t('failed.noDescription')}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
