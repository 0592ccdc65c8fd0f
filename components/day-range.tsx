import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Field, TextInput } from '#components/ui/field.tsx';

/** Two days in the workspace's time zone, both included, for a filter. */
export async function DayRange({
  id,
  from,
  to,
}: {
  id: string;
  from: string | null;
  to: string | null;
}): Promise<ReactNode> {
  const t = await getTranslations('common');
  return (
    <>
      <Field id={`${id}-from`} label={t('from')}>
        <TextInput id={`${id}-from`} name="from" type="date" defaultValue={from ?? ''} />
      </Field>
      <Field id={`${id}-to`} label={t('to')}>
        <TextInput id={`${id}-to`} name="to" type="date" defaultValue={to ?? ''} />
      </Field>
    </>
  );
}
