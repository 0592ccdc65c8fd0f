import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import type { Permission, Role } from '#lib/access/actor.ts';

type Tool = {
  name: 'terms' | 'pos' | 'links' | 'connection' | 'hashKeys';
  href: string;
  needs: Permission;
};

const TOOLS: readonly Tool[] = [
  { name: 'terms', href: '/cards/tools', needs: 'card.read' },
  { name: 'pos', href: '/cards/tools/pos', needs: 'card.read' },
  { name: 'links', href: '/cards/tools/links', needs: 'card.read' },
  { name: 'connection', href: '/cards/tools/connection', needs: 'card.read' },
  { name: 'hashKeys', href: '/cards/tools/hash-keys', needs: 'card.tools' },
];

/** Tabs of the tools; a tool that the role cannot use is absent. */
export async function ToolTabs({
  role,
  current,
}: {
  role: Role;
  current: Tool['name'];
}): Promise<ReactNode> {
  const t = await getTranslations('cardTools');
  return (
    <Tabs label={t('title')}>
      {TOOLS.filter(({ needs }) => may(role, needs)).map(({ name, href }) => (
        <Tab key={name} href={href} current={name === current}>
          {t(`tabs.${name}`)}
        </Tab>
      ))}
    </Tabs>
  );
}
