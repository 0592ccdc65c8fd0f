import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DeputyTable } from '#app/people/deputy-table.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { DeputyRow } from '#lib/people/deputies.ts';

/** The person's own part: for whom they stand in, or who stands in for them. */
export async function Deputyships({ rows }: { rows: readonly DeputyRow[] }): Promise<ReactNode> {
  if (rows.length === 0) return null;
  const t = await getTranslations('people.deputies');
  return (
    <Panel list title={t('ownTitle')}>
      <MessageArea>
        <p className="max-w-prose px-4 py-3 text-muted">{t('ownText')}</p>
        <DeputyTable rows={rows} />
      </MessageArea>
    </Panel>
  );
}
