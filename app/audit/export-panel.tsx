import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Button, FileButton } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { auditParams } from '#lib/audit/filter.ts';
import type { AuditFilter } from '#lib/audit/filter.ts';
import type { AuditCheck } from '#lib/audit/list.ts';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/**
 * Download of the trail, and what a third party needs to verify it. `filter` null: the page shows
 * the whole chain.
 */
export async function ExportPanel({
  filter,
  checkpoint,
}: {
  filter: AuditFilter | null;
  checkpoint: AuditCheck['checkpoint'];
}): Promise<ReactNode> {
  const t = await getTranslations('audit.export');
  const locale = (await getLocale()) as Locale;
  const day = checkpoint?.day
    ? formatDate(checkpoint.day, locale, { zone: await getTimeZone() })
    : null;
  return (
    <div id="export" className="scroll-mt-16">
      <Panel title={t('title')}>
        <form action="/audit/export" className="grid justify-items-start gap-4 px-4 py-4">
          <p className="max-w-prose text-muted">{t('text')}</p>
          {filter && <Scope filter={filter} />}
          <div className="grid gap-1">
            <Checkbox id="export-personal" name="personal" value="1" label={t('personal')} />
            <p className="max-w-prose text-label text-muted">{t('personalText')}</p>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" name="format" value="ndjson">
              {t('ndjson')}
            </Button>
            <Button type="submit" name="format" value="csv">
              {t('csv')}
            </Button>
          </div>
        </form>
        <div className="grid justify-items-start gap-2 border-t border-hairline px-4 py-4">
          <p className="max-w-prose text-muted">{t('verifyText')}</p>
          <code className="rounded-control bg-draft-ground px-2 py-1 font-mono text-mono break-words">
            node scripts/verify-audit.mjs audit.ndjson --checkpoints audit-checkpoints.jsonl
          </code>
          {day === null ? (
            <p className="text-muted">{t('noCheckpoint')}</p>
          ) : (
            <FileButton href="/audit/checkpoints">{t('checkpoints', { day })}</FileButton>
          )}
        </div>
      </Panel>
    </div>
  );
}

/** Whether the file holds what the filter shows, or the whole chain. */
async function Scope({ filter }: { filter: AuditFilter }): Promise<ReactNode> {
  const t = await getTranslations('audit.export');
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-label font-medium text-muted">{t('scope')}</legend>
      {Object.entries(auditParams(filter)).map(
        ([name, value]) =>
          value !== null && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <label className="flex items-start gap-2.5">
        <input
          type="radio"
          name="scope"
          value="filter"
          defaultChecked
          className="mt-0.5 size-4 accent-accent pointer-coarse:size-5"
        />
        {t('scopeFilter')}
      </label>
      <label className="flex items-start gap-2.5">
        <input
          type="radio"
          name="scope"
          value="all"
          className="mt-0.5 size-4 accent-accent pointer-coarse:size-5"
        />
        {t('scopeAll')}
      </label>
    </fieldset>
  );
}
