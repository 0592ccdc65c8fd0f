import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import type { Permission, Role } from '#lib/access/actor.ts';

type Report = {
  name: 'transactions' | 'withdrawals' | 'dayClose' | 'reconciliation' | 'exports';
  href: string;
  needs: Permission;
};

const REPORTS: readonly Report[] = [
  { name: 'transactions', href: '/reports/transactions', needs: 'movement.read' },
  { name: 'withdrawals', href: '/reports/withdrawals', needs: 'movement.read' },
  { name: 'reconciliation', href: '/reports/reconciliation', needs: 'movement.read' },
  { name: 'dayClose', href: '/reports/day-close', needs: 'wallet.read' },
  { name: 'exports', href: '/reports/exports', needs: 'export.make' },
];

/** Tabs of the reports; a report that the role cannot use is absent. */
export async function ReportTabs({
  role,
  current,
}: {
  role: Role;
  current: Report['name'];
}): Promise<ReactNode> {
  const t = await getTranslations('reports.tabs');
  return (
    <Tabs label={t('label')}>
      {REPORTS.filter(({ needs }) => may(role, needs)).map(({ name, href }) => (
        <Tab key={name} href={href} current={name === current}>
          {t(name)}
        </Tab>
      ))}
    </Tabs>
  );
}
