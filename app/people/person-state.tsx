import { __iconData as ban } from 'lucide-react/icons/ban';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { drawn } from '#components/ui/icon.tsx';
import { Pill } from '#components/ui/pill.tsx';

const Ban = drawn(ban);

/** Whether a person may sign in. */
export async function PersonState({ disabled }: { disabled: boolean }): Promise<ReactNode> {
  const t = await getTranslations('people.states');
  return disabled ? (
    <Pill tone="draft" icon={Ban}>
      {t('disabled')}
    </Pill>
  ) : (
    <Pill tone="settled">{t('active')}</Pill>
  );
}
