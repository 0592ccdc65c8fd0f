import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import type { WalletRequestView } from '#lib/wallets/creation/view.ts';

/** Reasons in the contract's table; any other is quoted in the provider's own words. */
const REASONS = [
  'group_code',
  'account_not_active',
  'currency',
  'kyc_limit',
  'validation',
] as const;

/** An earlier request that created no wallet. */
export async function NothingMade({ request }: { request: WalletRequestView }): Promise<ReactNode> {
  const t = await getTranslations('newWallet');
  if (request.state === 'NOT_MADE')
    return (
      <Banner tone="draft" title={t('notMade.title', { name: request.name })}>
        {t('notMade.text')}
      </Banner>
    );
  if (request.state === 'NOT_SENT')
    return (
      <Banner tone="attention" title={t('notSent.title')}>
        {t('notSent.text')} <Code text={request.reason} />
      </Banner>
    );
  const reason = REASONS.find((one) => one === request.reason) ?? 'other';
  return (
    <Banner tone="failed" title={t('refused.title')}>
      {t(`refused.${reason}`, { currency: request.currency })}{' '}
      {request.message !== null && (
        <span className="text-label">{t('refused.said', { message: request.message })}</span>
      )}{' '}
      <Code text={request.code} />
    </Banner>
  );
}

function Code({ text }: { text: string | null }): ReactNode {
  return text === null ? null : <span className="font-mono text-mono">{text}</span>;
}
