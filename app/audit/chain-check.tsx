import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import type { AuditCheck } from '#lib/audit/list.ts';
import { formatDate, formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

const HASH_SHOWN = 16;

/**
 * Result of the chain check: what this page recomputed, and the worker's latest check of the whole
 * chain.
 */
export async function ChainCheck({ check }: { check: AuditCheck }): Promise<ReactNode> {
  const t = await getTranslations('audit.check');
  const problems = problemsOf(check);
  if (problems.length > 0) {
    const named = problems.map(({ seq }) => Number(seq)).filter((seq) => seq > 0);
    return (
      <Banner
        tone="failed"
        title={
          named.length > 0 ? t('broken', { seq: String(Math.min(...named)) }) : t('brokenSomewhere')
        }
      >
        <p>{t('brokenText')}</p>
        <ul className="list-disc pl-5">
          {problems.map(({ seq, why }) => (
            <li key={`${seq} ${why}`}>{t(`whys.${why}`, { seq })}</li>
          ))}
        </ul>
        <Known check={check} />
      </Banner>
    );
  }
  return (
    <Banner
      tone="settled"
      title={check.checked === 0 ? t('none') : t('ok', { count: check.checked })}
    >
      {check.checked > 0 && <p className="max-w-prose">{t('okText')}</p>}
      <Known check={check} />
    </Banner>
  );
}

type Problem = {
  seq: string;
  why: 'content' | 'order' | 'columns' | 'personal' | 'tail' | 'checkpoint' | 'forged';
};

/** Each problem once: the page and the worker may both have found it. */
function problemsOf({ broken, head, lastCheck, checkpoint }: AuditCheck): Problem[] {
  const all: Problem[] = broken.toReversed();
  for (const one of lastCheck?.broken ?? [])
    all.push(one.seq === '0' ? { seq: '0', why: 'forged' } : one);
  if (head?.holds === false) all.push({ seq: head.seq, why: 'tail' });
  if (checkpoint?.stands === false)
    all.push({
      seq: String(checkpoint.entries),
      why: checkpoint.entries === 0 ? 'forged' : 'checkpoint',
    });
  return all.filter(
    (one, at) => all.findIndex(({ seq, why }) => seq === one.seq && why === one.why) === at,
  );
}

async function Known({
  check: { head, unlinked, lastCheck, checkpoint },
}: {
  check: AuditCheck;
}): Promise<ReactNode> {
  if (!head) return null;
  const t = await getTranslations('audit');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  return (
    <div className="mt-1 grid gap-0.5 text-label">
      <p>
        {lastCheck
          ? t('check.whole', {
              time: formatDateTime(lastCheck.at, locale, { zone }),
              entries: lastCheck.entries,
            })
          : t('check.wholeNotYet')}
      </p>
      {checkpoint && checkpoint.entries > 0 && (
        <p>
          {t(checkpoint.stands === null ? 'check.checkpointUnproven' : 'check.checkpoint', {
            day: formatDate(checkpoint.day, locale, { zone }),
            entries: String(checkpoint.entries),
          })}
        </p>
      )}
      {unlinked > 0 && <p>{t('check.unlinked', { count: unlinked })}</p>}
      <p>
        {t('check.head', { seq: head.seq })}{' '}
        <span className="font-mono" title={head.hash}>
          {head.hash.slice(0, HASH_SHOWN)}…
        </span>
        <CopyButton
          text={head.hash}
          label={t('details.copyHash')}
          done={(await getTranslations('common'))('copied')}
        />
      </p>
    </div>
  );
}
