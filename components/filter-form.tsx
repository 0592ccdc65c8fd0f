'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import type { FormEvent, ReactNode } from 'react';

/**
 * Filters live in the address. Without scripts this is a plain form; with them the page stays, empty fields stay out of the
 * address, and a choice from a list counts at once.
 */
export function FilterForm({ action, label, className = '', children }: { action: string; label: string; className?: string; children: ReactNode }): ReactNode {
  const router = useRouter();
  const [going, startGoing] = useTransition();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget)) if (typeof value === 'string' && value.trim() !== '') params.set(name, value.trim());
    const text = params.toString();
    startGoing(() => router.push(text === '' ? action : `${action}?${text}`, { scroll: false }));
  };
  const change = (event: FormEvent<HTMLFormElement>): void => {
    if (event.target instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
  };
  return (
    <form method="get" action={action} role="search" aria-label={label} aria-busy={going} onSubmit={submit} onChange={change} className={`no-print transition-opacity duration-150 aria-busy:opacity-60 ${className}`}>
      {children}
    </form>
  );
}
