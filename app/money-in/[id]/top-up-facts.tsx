import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { shownIban } from '#lib/values/iban.ts';
import type { TopUpView } from '#lib/money-in/view.ts';

/** Sender, wallet, and which of the two sources reported what, and when. */
export async function TopUpFacts({
  topUp,
  wallet,
  mayReadNotices,
}: {
  topUp: TopUpView;
  wallet: string;
  mayReadNotices: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('moneyIn');
  const copied = (await getTranslations('common'))('copied');
  return (
    <Facts>
      <SenderFacts topUp={topUp} />
      <Fact label={t('detail.description')}>
        <bdi className="wrap-anywhere">{topUp.description ?? '–'}</bdi>
      </Fact>
      <Fact label={t('detail.wallet')}>
        {topUp.wallet === null ? (
          '–'
        ) : (
          <Link
            href={`/wallets/${topUp.wallet}`}
            className="font-medium text-accent hover:underline"
          >
            {wallet}
          </Link>
        )}
      </Fact>
      {topUp.receiverIban && (
        <Fact label={t('detail.receiverIban')}>
          <span className="font-mono text-mono">{shownIban(topUp.receiverIban)}</span>
        </Fact>
      )}
      {topUp.bankReceiptNo && (
        <Fact label={t('detail.bankReceiptNo')}>
          <span className="font-mono text-mono">{topUp.bankReceiptNo}</span>
        </Fact>
      )}
      {!topUp.id.startsWith('notice:') && (
        <Fact label={t('detail.transaction')}>
          <span className="font-mono text-mono break-all">{topUp.id}</span>{' '}
          <CopyButton text={topUp.id} label={t('detail.copyTransaction')} done={copied} />
        </Fact>
      )}
      <SourceFacts topUp={topUp} mayReadNotices={mayReadNotices} />
    </Facts>
  );
}

async function SenderFacts({ topUp }: { topUp: TopUpView }): Promise<ReactNode> {
  const t = await getTranslations('moneyIn');
  const copied = (await getTranslations('common'))('copied');
  return (
    <>
      <Fact label={t('detail.sender')}>
        {topUp.senderName === null ? t('noSender') : <bdi>{topUp.senderName}</bdi>}
      </Fact>
      {topUp.senderIban && (
        <Fact label={t('detail.iban')}>
          <span className="font-mono text-mono">{shownIban(topUp.senderIban)}</span>{' '}
          {!topUp.senderIban.includes('*') && (
            <CopyButton text={topUp.senderIban} label={t('detail.copyIban')} done={copied} />
          )}
        </Fact>
      )}
      {topUp.senderBank && <Fact label={t('detail.bank')}>{topUp.senderBank}</Fact>}
      {topUp.senderTaxNumber && (
        <Fact label={t('detail.taxNumber')}>
          <span className="font-mono text-mono">{topUp.senderTaxNumber}</span>
        </Fact>
      )}
    </>
  );
}

/** What the webhook and the ledger reported, each with its time. */
async function SourceFacts({
  topUp,
  mayReadNotices,
}: {
  topUp: TopUpView;
  mayReadNotices: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('moneyIn');
  const inLedger = topUp.seenAt !== null;
  return (
    <>
      <Fact label={t('detail.announcedAt')}>
        {topUp.announcedAt === null ? (
          t('detail.notAnnounced')
        ) : (
          <>
            <When at={topUp.announcedAt} seconds />
            {mayReadNotices && topUp.noticeId && (
              <>
                {' '}
                ·{' '}
                <Link href={`/webhooks?notice=${topUp.noticeId}`} className="text-accent underline">
                  {t('detail.notice', { id: topUp.noticeId })}
                </Link>
              </>
            )}
          </>
        )}
      </Fact>
      {inLedger && (
        <Fact label={t('detail.at')}>
          <When at={topUp.at} seconds />
        </Fact>
      )}
      {topUp.seenAt && (
        <Fact label={t('detail.seenAt')}>
          <When at={topUp.seenAt} seconds />
        </Fact>
      )}
      {topUp.status && (
        <Fact label={t('detail.status')}>
          <span className="font-mono text-mono">{topUp.status}</span>
        </Fact>
      )}
    </>
  );
}
