import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import type { AuditCheck } from '#lib/audit-log/list.ts';

const HASH_SHOWN = 16;

/** What was computed anew for this page and what came of it; what was not checked is said too. */
export async function ChainCheck({ check }: { check: AuditCheck }): Promise<ReactNode> {
  const t = await getTranslations('audit.check');
  const holds = check.broken.length === 0 && check.head?.holds !== false;
  const first = check.broken.at(-1);
  if (!holds) {
    return (
      <Banner tone="failed" title={first ? t('broken', { seq: first.seq }) : t('headBroken')}>
        {first && <p>{t('brokenText', { count: check.broken.length })}</p>}
        <ul className="list-disc pl-5">{check.broken.map((link) => <li key={link.seq}>{t(`whys.${link.why}`, { seq: link.seq })}</li>)}</ul>
        {first && check.head?.holds === false && <p>{t('headBroken')}</p>}
        <Head check={check} />
      </Banner>
    );
  }
  return (
    <Banner tone="settled" title={check.checked === 0 ? t('none') : t('ok', { count: check.checked })}>
      {check.checked > 0 && <p className="max-w-prose">{t('okText')}</p>}
      <Head check={check} />
    </Banner>
  );
}

async function Head({ check }: { check: AuditCheck }): Promise<ReactNode> {
  if (!check.head) return null;
  const t = await getTranslations('audit');
  return (
    <p className="mt-1 text-label">
      {t('check.head', { seq: check.head.seq })} <span className="font-mono" title={check.head.hash}>{check.head.hash.slice(0, HASH_SHOWN)}…</span>
      <CopyButton text={check.head.hash} label={t('details.copyHash')} done={(await getTranslations('common'))('copied')} />
    </p>
  );
}
