'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { use, useId, useTransition } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldsOf, useAddressInFields } from '#components/address-in-fields.ts';
import { ListPlaceContext } from '#components/ui/list-place.ts';
import { readDay } from '#lib/values/typed-day.ts';

const FOLD =
  'inline-flex min-h-11 items-center rounded-control border border-control bg-surface px-3.5 ' +
  'font-medium peer-focus-visible:outline-2 peer-checked:border-accent peer-checked:text-accent ' +
  'sm:hidden';
/** The parts of a list's address that are not fields of its filter. */
const NO_FILTERS = new Set(['view', 'sort', 'after', 'before', 'page', 'chart']);

/**
 * The form of a list's filters, whose values are in the address. Without scripts it is a plain
 * form. With scripts the page is not reloaded, empty fields stay out of the address, and choosing
 * from a list applies at once. `fold`: the text of the button that unfolds the fields on a phone,
 * where they would otherwise push the list down.
 */
export function FilterForm({
  action,
  label,
  className = '',
  fold,
  children,
}: {
  action: string;
  label: string;
  className?: string;
  fold?: string;
  children: ReactNode;
}): ReactNode {
  const router = useRouter();
  const search = useSearchParams();
  const place = use(ListPlaceContext);
  const form = useAddressInFields(place !== null, search);
  const [going, startGoing] = useTransition();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // The address has what was pressed last; `search` follows when that is drawn.
    const params = new URLSearchParams(place === null ? undefined : location.search);
    for (const name of [
      'after',
      'before',
      ...fieldsOf(event.currentTarget).map((field) => field.name),
    ])
      params.delete(name);
    for (const [name, value] of new FormData(event.currentTarget))
      if (typeof value === 'string' && value.trim() !== '')
        params.set(name, addressed(event.currentTarget, name, value.trim()));
    const text = params.toString();
    const address = text === '' ? action : `${action}?${text}`;
    if (place !== null) return place.go(address, { scroll: false });
    startGoing(() => router.push(address, { scroll: false }));
  };
  const change = (event: FormEvent<HTMLFormElement>): void => {
    if (event.target instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
  };
  return (
    <form
      ref={form}
      method="get"
      action={action}
      // A browser that goes back would fill in what was chosen later, beside rows of this address.
      autoComplete="off"
      role="search"
      aria-label={label}
      aria-busy={going}
      onSubmit={submit}
      onChange={change}
      className="no-print transition-opacity duration-150 aria-busy:opacity-60"
    >
      {fold !== undefined && <FoldToggle words={fold} />}
      <div
        className={`${className} ${fold === undefined ? '' : 'max-sm:mt-3 max-sm:hidden max-sm:peer-checked:grid'}`}
      >
        {children}
      </div>
    </form>
  );
}

/** The button that unfolds the filter fields on a phone; shows how many filters are active. */
function FoldToggle({ words }: { words: string }): ReactNode {
  const id = useId();
  const active = [...useSearchParams().keys()].filter((name) => !NO_FILTERS.has(name)).length;
  return (
    <>
      <input id={id} type="checkbox" className="peer sr-only sm:hidden" />
      <label htmlFor={id} className={FOLD}>
        {words}
        {active > 0 && ` (${active})`}
      </label>
    </>
  );
}

/**
 * Converts a typed day to its ISO form: addresses have days in that form, fields in that of the
 * person's language (`DayInput`).
 */
function addressed(form: HTMLFormElement, name: string, value: string): string {
  const isTypedDay = fieldsOf(form).some((field) => field.name === name && 'day' in field.dataset);
  return isTypedDay ? (readDay(value) ?? value) : value;
}
