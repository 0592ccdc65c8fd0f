import { ChevronLeft } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { BACK_LINK } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';
import type { Person } from '#lib/access/actor.ts';
import { batchName } from '#lib/batches/name.ts';

/** The way back to the bulk payout whose payments or receipts a page lists; nothing for all others. */
export async function BackToBatch({
  person,
  id,
}: {
  person: Person;
  id: string | null;
}): Promise<ReactNode> {
  const name = await batchName(person, id);
  if (name === null) return null;
  const t = await getTranslations('receipts.chips');
  return (
    <Link href={`/batches/${id}`} className={BACK_LINK}>
      <ChevronLeft aria-hidden className="size-3.5" />
      {name === '' ? t('pasted') : name}
    </Link>
  );
}
