import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { BackLink } from '#components/back-link.tsx';
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
  return <BackLink href={`/batches/${id}`}>{name === '' ? t('pasted') : name}</BackLink>;
}
