'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Field, Select, TextInput } from '#components/ui/field.tsx';

/** Field names of the five parts of a card. */
export type CardNames = {
  holder: string;
  number: string;
  month: string;
  year: string;
  code: string | null;
};

const MONTHS = Array.from({ length: 12 }, (_none, index) => String(index + 1).padStart(2, '0'));
const YEARS = 20;

/** Card fields that a browser can autofill. Uncontrolled: the page's state holds none of it. */
export function CardFields({
  names,
  firstYear,
}: {
  names: CardNames;
  firstYear: number;
}): ReactNode {
  const t = useTranslations('charges.take');
  return (
    <>
      <Field id="card-holder" label={t('holder')}>
        <TextInput
          id="card-holder"
          name={names.holder}
          autoComplete="cc-name"
          required
          maxLength={100}
        />
      </Field>
      <Field id="card-number" label={t('number')}>
        <TextInput
          id="card-number"
          name={names.number}
          autoComplete="cc-number"
          inputMode="numeric"
          required
          maxLength={23}
          pattern="[0-9 ]{12,23}"
          className="font-mono"
        />
      </Field>
      <div className="grid grid-cols-3 gap-3">
        <ExpiryFields names={names} firstYear={firstYear} />
        {names.code !== null && (
          <Field id="card-code" label={t('cvv')}>
            <TextInput
              id="card-code"
              name={names.code}
              type="password"
              autoComplete="off"
              inputMode="numeric"
              required
              maxLength={4}
              pattern="[0-9]{3,4}"
              className="font-mono"
            />
          </Field>
        )}
      </div>
    </>
  );
}

function ExpiryFields({ names, firstYear }: { names: CardNames; firstYear: number }): ReactNode {
  const t = useTranslations('charges.take');
  return (
    <>
      <Field id="card-month" label={t('month')}>
        <Select
          id="card-month"
          name={names.month}
          autoComplete="cc-exp-month"
          required
          defaultValue=""
        >
          <option value="">–</option>
          {MONTHS.map((month) => (
            <option key={month}>{month}</option>
          ))}
        </Select>
      </Field>
      <Field id="card-year" label={t('year')}>
        <Select
          id="card-year"
          name={names.year}
          autoComplete="cc-exp-year"
          required
          defaultValue=""
        >
          <option value="">–</option>
          {Array.from({ length: YEARS }, (_none, index) => (
            <option key={index}>{firstYear + index}</option>
          ))}
        </Select>
      </Field>
    </>
  );
}
