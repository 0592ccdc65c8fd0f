import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { dayWords } from '#components/day-words.ts';
import { dayIn } from '#lib/values/dates.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { addOrders } from './actions.ts';
import { AddForm } from './add-form.tsx';

/** The way to add a payment for which no webhook arrived. Folded when the list has rows. */
export async function AddPanel({
  now,
  open = false,
}: {
  now: string;
  open?: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('cards.add');
  return (
    <details open={open} className="no-print rounded-panel border border-hairline bg-surface">
      <summary className="px-4 py-2.5 text-section font-semibold">{t('title')}</summary>
      <div className="border-t border-hairline px-4 py-3">
        <AddForm
          action={addOrders}
          words={{ label: t('label'), hint: t('hint'), button: t('button') }}
          heldOn={{
            label: t('heldOn'),
            hint: t('heldOnHint'),
            today: dayIn(now, workspace().timeZone),
            day: await dayWords(),
          }}
        />
      </div>
    </details>
  );
}
