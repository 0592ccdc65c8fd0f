'use client';

import Form from 'next/form';
import type { ReactNode } from 'react';
import { PICK_FORM } from '#components/pick-form.ts';
import { usePickedRows } from '#components/picked-rows.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { PICK_BAR } from '#components/ui/classes.ts';

/**
 * The ticked rows and what can be done with them. `fields` is the list's filter, `takeAll` the
 * address for everything in it. `drawn`: changes when other rows are shown.
 */
export function PickBar({
  action,
  fields,
  takeAll,
  drawn,
  words,
}: {
  action: string;
  fields: Record<string, string | null>;
  takeAll: string;
  drawn: string;
  words: Record<'label' | 'counted' | 'take' | 'all' | 'none', string>;
}): ReactNode {
  const { picked, none } = usePickedRows(drawn);
  const count = picked.length;
  return (
    <Form
      id={PICK_FORM}
      action={action}
      aria-label={words.label}
      className={`${PICK_BAR} ${count === 0 ? 'hidden' : ''}`}
    >
      {Object.entries(fields).map(
        ([name, value]) =>
          value !== null &&
          value !== '' && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <span role="status" className="font-medium tabular-nums">
        {count === 0 ? '' : words.counted.replace('{count}', String(count))}
      </span>
      <Button type="submit" look="primary">
        {words.take}
      </Button>
      <LinkButton href={takeAll} look="ghost">
        {words.all}
      </LinkButton>
      <Button look="ghost" onClick={none}>
        {words.none}
      </Button>
    </Form>
  );
}
