import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import type { CaseView } from '#lib/money-in/cases.ts';

/** What the webhook says: the only source about a failed top-up. */
export async function CaseFacts({ one }: { one: CaseView }): Promise<ReactNode> {
  const t = await getTranslations('moneyIn.failed');
  const notice = (await getTranslations('moneyIn.detail'))('notice', { id: one.noticeId });
  return (
    <Facts>
      <Fact label={t('facts.description')}>
        <span className="wrap-anywhere">{one.description ?? t('noDescription')}</span>
      </Fact>
      <Fact label={t('facts.wallet')}>
        {one.wallet === null ? (
          t('facts.noWallet')
        ) : (
          <span className="font-mono text-mono">{one.wallet}</span>
        )}
      </Fact>
      <Fact label={t('facts.message')}>
        <span className="wrap-anywhere">{one.message ?? '–'}</span>
      </Fact>
      <Fact label={t('facts.code')}>
        <span className="font-mono text-mono">{one.code ?? '–'}</span>
      </Fact>
      <Fact label={t('facts.firstAt')}>
        <When at={one.firstAt} seconds />
      </Fact>
      {one.seen > 1 && (
        <Fact label={t('facts.lastAt')}>
          <When at={one.lastAt} seconds />
        </Fact>
      )}
      <Fact label={t('facts.seen')}>
        {t('times', { count: one.seen })} ·{' '}
        <Link href={`/webhooks?notice=${one.noticeId}`} className="text-accent underline">
          {notice}
        </Link>
      </Fact>
      {one.reopened > 0 && (
        <Fact label={t('facts.reopened')}>{t('facts.reopenedIs', { count: one.reopened })}</Fact>
      )}
    </Facts>
  );
}
