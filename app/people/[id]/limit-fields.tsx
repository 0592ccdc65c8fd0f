'use client';

import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { KeptSelect } from '#components/kept-select.tsx';
import { Field } from '#components/ui/field.tsx';
import { TypedField } from '../fields.tsx';
import type { TypedLimit } from '../typed-limits.ts';

const AMOUNT_CHARACTERS = 40;

/**
 * The currency of a limit and its two amounts, which stand there as they are now: changing one of
 * them leaves the other. `limits`: one for each currency.
 */
export function LimitFields({
  limits,
  words,
}: {
  limits: readonly TypedLimit[];
  words: Record<'currency' | 'single' | 'day' | 'empty', string>;
}): ReactNode {
  const id = useId();
  const [currency, setCurrency] = useState(limits[0]?.currency);
  const limit = limits.find((one) => one.currency === currency);
  return (
    <>
      <Field id={id} label={words.currency}>
        <span className="contents" onChange={(event) => setCurrency(valueOf(event))}>
          <KeptSelect id={id} name="currency" defaultValue={limits[0]?.currency}>
            {limits.map((one) => (
              <option key={one.currency} value={one.currency}>
                {one.currency}
              </option>
            ))}
          </KeptSelect>
        </span>
      </Field>
      {(['single', 'day'] as const).map((name) => (
        <TypedField
          key={`${currency} ${name}`}
          name={name}
          label={words[name]}
          hint={words.empty}
          max={AMOUNT_CHARACTERS}
          first={limit?.[name]}
        />
      ))}
    </>
  );
}

function valueOf({ target }: { target: EventTarget }): string {
  return target instanceof HTMLSelectElement ? target.value : '';
}
