import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';

/** Folded once webhooks arrive: the addresses are secret and should not be on every screenshot. */
export async function Addresses({
  addresses,
  open = false,
}: {
  addresses: { channel: 'wallet' | 'card'; address: string }[];
  open?: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('webhooks.address');
  const copied = (await getTranslations('common'))('copied');
  return (
    <details open={open} className="rounded-panel border border-hairline bg-surface">
      <summary className="px-4 py-2.5 text-section font-semibold">{t('title')}</summary>
      <div className="grid gap-3 border-t border-hairline px-4 py-3">
        <p className="max-w-prose text-muted">{t('text')}</p>
        <dl className="grid gap-3">
          {addresses.map(({ channel, address }) => (
            <div key={channel}>
              <dt className="text-label font-medium text-muted">{t(channel)}</dt>
              <dd className="flex items-center gap-1">
                <span className="min-w-0 font-mono text-mono break-all">{address}</span>
                <CopyButton
                  text={address}
                  label={t('copy', { channel: t(channel) })}
                  done={copied}
                />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  );
}
