import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ReasonForm } from '#components/reason-form.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { CheckedDraft } from '#lib/batches/draft/read.ts';
import { kindsToTick } from '#lib/batches/draft/warning-kinds.ts';
import { confirmKind } from '../actions.ts';

/** The warnings that several rows share, each kind with one confirmation for all of them. */
export async function KindsTogether({ draft }: { draft: CheckedDraft }): Promise<ReactNode> {
  const t = await getTranslations('batches.together');
  const tick = await getTranslations('batches.tick');
  const kinds = kindsToTick(draft.rows);
  if (kinds.length === 0) return null;
  const { id, version } = draft.batch;
  return (
    <Panel>
      <details open>
        <summary className="cursor-pointer px-4 py-2.5 text-section font-semibold">
          {t('title')}
        </summary>
        <ul className="border-t border-hairline">
          {kinds.map(({ code, rows, seen }) => (
            <li key={code} className="grid gap-2 border-b border-hairline p-4 last:border-b-0">
              <p className="text-attention">{t(`kinds.${code}`, { count: rows })}</p>
              <ReasonForm
                action={confirmKind}
                fields={{ id, version: String(version), code, seen }}
                label={tick('label')}
                hint={tick('hint')}
                button={t('button', { count: rows })}
              />
            </li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}
