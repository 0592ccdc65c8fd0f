import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { KeepLooking } from '#app/reports/exports/keep-looking.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import type { Person } from '#lib/access/actor.ts';
import { walletsSince } from '#lib/wallets/creation/view.ts';
import type { WalletRequestView } from '#lib/wallets/creation/view.ts';
import { giveUpNewWallet, lookForNewWallet } from './actions.ts';

/** No response, or a truncated one: nothing of the provider's answer is usable. */
const LOST = ['timeout', 'reset', 'closed', 'truncated'];

/** The wallet may or may not exist: what is known of it, and how to find out. */
export async function Unclear({
  person,
  request,
}: {
  person: Person;
  request: WalletRequestView;
}): Promise<ReactNode> {
  const t = await getTranslations('newWallet.unclear');
  if (request.underWay)
    return (
      <>
        <KeepLooking />
        <Banner tone="progress" live title={t('underWay')}>
          {t('wanted', { name: request.name, currency: request.currency })}
        </Banner>
      </>
    );
  return (
    <>
      <Banner tone="unknown" title={t('title')}>
        {t('text')}
      </Banner>
      <Panel title={t('evidence')}>
        <Facts>
          <Fact label={t('what')}>
            {t('wanted', { name: request.name, currency: request.currency })}
          </Fact>
          <Fact label={t('asked')}>
            <When at={request.askedAt} now={request.now} seconds /> · {request.by}
          </Fact>
          <Fact label={t('answer')}>
            {request.reason === null ? (
              t('none')
            ) : (
              <>
                {t(LOST.includes(request.reason) ? 'lost' : 'strange')}{' '}
                <span className="font-mono text-mono text-muted">{request.reason}</span>
              </>
            )}
          </Fact>
          <Fact label={t('before')}>
            <span className="tabular-nums">{t('count', { count: request.before })}</span>
          </Fact>
          <Since person={person} request={request} />
        </Facts>
        <div className="grid gap-2 border-t border-hairline px-4 py-3">
          <div className="flex flex-wrap items-start gap-3">
            <ActionButton action={lookForNewWallet} fields={{ id: request.id }} look="primary">
              {t('look')}
            </ActionButton>
            <ActionButton action={giveUpNewWallet} fields={{ id: request.id }}>
              {t('giveUp')}
            </ActionButton>
          </div>
          <p className="max-w-prose text-label text-muted">
            {request.settleFrom > request.now ? (
              <>
                {t('notBefore')} <When at={request.settleFrom} now={request.now} seconds />
              </>
            ) : (
              t('giveUpText')
            )}
          </p>
        </div>
      </Panel>
    </>
  );
}

async function Since({
  person,
  request,
}: {
  person: Person;
  request: WalletRequestView;
}): Promise<ReactNode> {
  const t = await getTranslations('newWallet.unclear');
  const since = await walletsSince(person, request.id);
  if (since === null) return <Fact label={t('now')}>{t('listUnread')}</Fact>;
  return (
    <>
      <Fact label={t('now')}>
        <span className="tabular-nums">{t('count', { count: since.count })}</span>
      </Fact>
      <Fact label={t('appeared')}>
        {since.appeared.length === 0 ? (
          t('nothingNew')
        ) : (
          <ul className="grid gap-1">
            {since.appeared.map((wallet) => (
              <li key={wallet.number}>
                <Link
                  href={`/wallets/${wallet.number}`}
                  className="font-medium text-accent hover:underline"
                >
                  {wallet.name}
                </Link>{' '}
                <span className="font-mono text-mono text-muted">{wallet.number}</span>{' '}
                {wallet.currency}
                {wallet.createdAt !== null && (
                  <>
                    {' '}
                    · <When at={wallet.createdAt} now={request.now} seconds />
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
      </Fact>
    </>
  );
}
