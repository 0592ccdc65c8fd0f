import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Pager } from '#components/ui/table.tsx';

/** The last line of a list: the addresses of the pages before and after, and what it counts. */
export async function ListPager({
  previous,
  next,
  children,
}: {
  previous: string | null;
  next: string | null;
  children?: ReactNode;
}): Promise<ReactNode> {
  const t = await getTranslations('common');
  return (
    <div className="border-t border-hairline">
      <Pager
        label={t('pages')}
        previous={previous}
        next={next}
        words={{ previous: t('previous'), next: t('next') }}
      >
        {children}
      </Pager>
    </div>
  );
}
