'use client';

import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { isCard } from '#lib/readings/understand.ts';

/** A plain form, except that it keeps a card number from leaving the browser. */
export function SearchForm({
  label,
  card,
  children,
}: {
  label: string;
  card: string;
  children: ReactNode;
}): ReactNode {
  const [refused, setRefused] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    const refuses = isCard(String(new FormData(event.currentTarget).get('q') ?? ''));
    setRefused(refuses);
    if (refuses) event.preventDefault();
  };
  return (
    <form
      action="/search"
      method="get"
      role="search"
      aria-label={label}
      onSubmit={submit}
      className="grid gap-2"
    >
      <div className="flex gap-2">{children}</div>
      <p role="alert" className="text-label font-medium text-failed empty:hidden">
        {refused ? card : ''}
      </p>
    </form>
  );
}
