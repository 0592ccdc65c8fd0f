'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import { typesCard } from '#lib/values/card-number.ts';
import { readCustomerNumber } from '#lib/cards/saved/schema.ts';

export type CustomerWords = Record<
  'customer' | 'customerHint' | 'show' | 'customerWrong' | 'customerCard',
  string
>;

/** The customer number is in the address; a card number typed here by mistake never gets there. */
export function CustomerForm({
  customer,
  wrong,
  words,
}: {
  customer: string;
  wrong: boolean;
  words: CustomerWords;
}): ReactNode {
  const router = useRouter();
  const [going, start] = useTransition();
  const [error, setError] = useState<string | undefined>(wrong ? words.customerWrong : undefined);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('customer') ?? '').trim();
    const number = readCustomerNumber(typed);
    setError(
      number !== null ? undefined : typesCard(typed) ? words.customerCard : words.customerWrong,
    );
    if (number !== null)
      start(() => router.push(`/cards/saved?customer=${number}`, { scroll: false }));
  };
  return (
    <form
      method="get"
      action="/cards/saved"
      role="search"
      aria-label={words.customer}
      aria-busy={going}
      onSubmit={submit}
      className="no-print flex flex-wrap items-start gap-3"
    >
      <div className="w-full sm:w-80">
        <Field id="saved-customer" label={words.customer} hint={words.customerHint} error={error}>
          <TextInput
            id="saved-customer"
            name="customer"
            inputMode="numeric"
            autoComplete="off"
            maxLength={30}
            defaultValue={customer}
            data-shortcut="filter"
            aria-invalid={error !== undefined}
            aria-describedby={describedBy('saved-customer', { hint: true, error })}
          />
        </Field>
      </div>
      <Button type="submit" className="sm:mt-[1.375rem]">
        {words.show}
      </Button>
    </form>
  );
}
