import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import { cache, Suspense } from 'react';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { BalancesAsOf } from '#components/balances-as-of.tsx';
import { KnownFirst } from '#components/known-first.tsx';
import { WalletAccessPill } from '#components/wallet-access.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { groupIban } from '#lib/values/iban.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { signedIn } from '#lib/login/session.ts';
import { readWalletMovementQuery, walletMovementParams } from '#lib/wallets/filter.ts';
import { mayPayFrom } from '#lib/wallets/may-pay-from.ts';
import { viewKeptWallet, viewWallet } from '#lib/wallets/view.ts';
import type { KnownView, WalletView } from '#lib/wallets/view.ts';
import { AccountNote } from '../account-note.tsx';
import { Limits } from '../limits.tsx';
import { FlowLoading, FlowPanel } from '../flow/flow-panel.tsx';
import { Movements, MovementsLoading } from './movements.tsx';
import { NotYetInLedger } from './not-yet.tsx';

const NUMBER = /^\d{4,20}$/;

export async function generateMetadata({
  params,
}: PageProps<'/wallets/[number]'>): Promise<Metadata> {
  return {
    title: `${(await getTranslations('wallets'))('wallet')} ${(await params).number.slice(-4)}`,
  };
}

export default async function WalletPage({
  params,
  searchParams,
}: PageProps<'/wallets/[number]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'wallet.read')) return <Forbidden person={person} needs="wallet.read" />;
  const { number } = await params;
  if (!NUMBER.test(number)) notFound();
  const ask = cache(() => viewWallet(person, number));
  const kept = await viewKeptWallet(person, number);
  // Of a wallet that was never seen only the provider knows whether it exists.
  const known = kept.value === null ? await ask() : kept;
  if (known === null) notFound();
  const t = await getTranslations('wallets');
  const now = new Date().toISOString();
  const asked = await searchParams;
  const query = readWalletMovementQuery(asked, now);
  const wallet = known.value;
  return (
    <>
      <BackLink href="/wallets">{t('title')}</BackLink>
      <PageHead title={wallet?.name ?? `${t('wallet')} ${number}`}>
        {wallet?.payable && (
          <LinkButton href={`/payouts/new?wallet=${number}`} look="primary" data-shortcut="new">
            <Plus aria-hidden className="size-4" />
            {t('pay')}
          </LinkButton>
        )}
      </PageHead>
      {asked.opened !== undefined && (
        <Banner tone="settled">{(await getTranslations('newWallet'))('opened', { number })}</Banner>
      )}
      <Suspense>
        <AccountNote person={person} />
      </Suspense>
      <KnownFirst
        known={known}
        ask={async () => (await ask()) ?? notFound()}
        render={(one, isAsking) => <Known known={one} isAsking={isAsking} />}
        loading={null}
      />
      {wallet && (
        <Suspense key={query.filter.chart} fallback={<FlowLoading />}>
          <Flow
            person={person}
            ask={ask}
            last={query.filter.chart}
            hrefOf={(chart) =>
              `/wallets/${number}${addressOf(walletMovementParams({ ...query.filter, chart }))}`
            }
            now={now}
          />
        </Suspense>
      )}
      <NotYetInLedger person={person} wallet={number} />
      <Suspense
        key={JSON.stringify({ ...query, filter: { ...query.filter, chart: null } })}
        fallback={<MovementsLoading />}
      >
        <Movements person={person} number={number} query={query} now={now} />
      </Suspense>
    </>
  );
}

async function Known({
  known,
  isAsking,
}: {
  known: KnownView<WalletView>;
  isAsking: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets');
  const { fresh, value: wallet } = known;
  return (
    <>
      <BalancesAsOf known={known} isAsking={isAsking} />
      {wallet && wallet.access !== 'active' && <AccessNote wallet={wallet} />}
      {wallet && (
        <div className="grid gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <Balances wallet={wallet} fresh={fresh} />
          <Panel title={t('limits')}>
            <Limits wallet={wallet} fresh={fresh} />
          </Panel>
        </div>
      )}
    </>
  );
}

/** Its days end with the balance of now, so they are drawn when the provider has answered. */
async function Flow({
  ask,
  ...props
}: Omit<Parameters<typeof FlowPanel>[0], 'title' | 'wallets'> & {
  ask: () => Promise<KnownView<WalletView> | null>;
}): Promise<ReactNode> {
  const known = await ask();
  if (!known?.value) return null;
  const { number, currency, total } = known.value;
  return (
    <FlowPanel
      {...props}
      title={(await getTranslations('wallets'))('flow.title')}
      wallets={{ numbers: [number], currency, balance: known.fresh ? total : null }}
    />
  );
}

async function AccessNote({ wallet }: { wallet: WalletView }): Promise<ReactNode> {
  const t = await getTranslations('wallets.accessTexts');
  if (wallet.access === 'active') return null;
  return (
    <Banner tone={wallet.access === 'banned' ? 'failed' : 'held'}>
      {t(wallet.access, { text: wallet.accessText ?? '–' })}
    </Banner>
  );
}

async function Balances({
  wallet,
  fresh,
}: {
  wallet: WalletView;
  fresh: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets');
  const common = await getTranslations('common');
  const locale = (await getLocale()) as Locale;
  const money = (amount: string | null): string =>
    amount === null ? t('unknownAmount') : formatMoney(amount, wallet.currency, locale);
  const old = fresh && mayPayFrom(wallet.access).kind !== 'no' ? '' : 'text-muted';
  const small = [
    [t('blocked'), wallet.blocked],
    [t('total'), wallet.total],
    [t('monthIn'), wallet.monthIn],
    [t('monthOut'), wallet.monthOut],
  ] as const;
  return (
    <Panel title={t('balances')} aside={<WalletAccessPill access={wallet.access} />}>
      <div className="grid gap-4 px-4 py-3">
        <div>
          <p className="text-label font-medium text-muted">{t('available')}</p>
          <p className={`text-display font-semibold tracking-[-0.01em] tabular-nums ${old}`}>
            {money(wallet.available)}
          </p>
        </div>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
          {small.map(([label, amount]) => (
            <div key={label}>
              <dt className="text-label font-medium text-muted">{label}</dt>
              <dd className={`tabular-nums ${old}`}>{money(amount)}</dd>
            </div>
          ))}
        </dl>
        <dl className="grid gap-3 border-t border-hairline pt-3">
          <div>
            <dt className="text-label font-medium text-muted">{t('iban')}</dt>
            <dd className="flex flex-wrap items-center gap-x-1">
              {wallet.iban ? (
                <>
                  <span className="font-mono text-mono break-words">{groupIban(wallet.iban)}</span>
                  <CopyButton text={wallet.iban} label={t('copyIban')} done={common('copied')} />
                </>
              ) : (
                t('noIban')
              )}
            </dd>
          </div>
          <div>
            <dt className="text-label font-medium text-muted">{t('number')}</dt>
            <dd className="flex items-center gap-x-1">
              <span className="font-mono text-mono">{wallet.number}</span>
              <CopyButton text={wallet.number} label={t('copyNumber')} done={common('copied')} />
            </dd>
          </div>
        </dl>
      </div>
    </Panel>
  );
}
