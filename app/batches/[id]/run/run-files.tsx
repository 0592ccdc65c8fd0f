import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { keepRows } from '#app/batches/new/actions.ts';
import { makeArchive } from '#app/receipts/archives/actions.ts';
import { ActionButton } from '#components/action-button.tsx';
import { EditDialog } from '#components/edit-dialog.tsx';
import { Link } from '#components/ui/link.tsx';
import { may } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';
import type { RunView } from '#lib/batches/run/view.ts';
import { NO_FILTER, payoutListAddress } from '#lib/payouts/filter.ts';
import { receiptsMax } from '#lib/receipts/archives/archive.ts';
import type { FileType } from '#lib/receipts/archives/archive.ts';
import { readReceiptQuery, receiptParams } from '#lib/receipts/filter.ts';
import { addressOf } from '#lib/values/keyset.ts';

const TYPES: readonly FileType[] = ['pdf', 'zip'];

/**
 * The payouts of a batch in their own list, the receipts of its completed rows as one file, and its
 * rows as a template.
 */
export async function RunFiles({ view, role }: { view: RunView; role: Role }): Promise<ReactNode> {
  const t = await getTranslations('batchRun.files');
  const completed = view.groups.completed.count;
  const mayTake = may(role, 'receipt.read') && may(role, 'export.make') && completed > 0;
  const { filter } = readReceiptQuery({ batch: view.id });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {view.made > 0 && (
        <Link
          href={`/payouts${payoutListAddress({ ...NO_FILTER, batch: view.id })}`}
          className="font-medium text-accent hover:underline"
        >
          {t('payouts', { count: view.made })}
        </Link>
      )}
      {mayTake && (
        <div role="group" aria-label={t('receipts')} className="flex flex-wrap items-center gap-2">
          <span className="text-muted">{t('receipts')}</span>
          {TYPES.filter((type) => completed <= receiptsMax(type)).map((type) => (
            <ActionButton
              key={type}
              action={makeArchive}
              fields={{ filter: addressOf(receiptParams(filter)), file: type }}
              label={t(`${type}Label`)}
            >
              {t(type)}
            </ActionButton>
          ))}
        </div>
      )}
      {may(role, 'payout.prepare') && <SaveRows view={view} />}
    </div>
  );
}

/** Gives the rows a name, so that later drafts begin with them. */
async function SaveRows({ view }: { view: RunView }): Promise<ReactNode> {
  const t = await getTranslations('batches.earlier');
  return (
    <EditDialog
      action={keepRows}
      fixed={{ batch: view.id }}
      fields={[{ name: 'name', label: t('name'), value: view.name.replace(/\.\w{3,4}$/, '') }]}
      words={{
        open: t('saveAs'),
        title: t('saveTitle'),
        hint: t('renameHint'),
        save: t('save'),
        keep: t('keep'),
      }}
    />
  );
}
