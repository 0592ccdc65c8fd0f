'use client';

import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { Locale } from '#lib/values/locale.ts';
import { readDay, typedDay } from '#lib/values/typed-day.ts';

/**
 * The list can change the address without the form, by a removed filter or the back button; the
 * fields then take the values of the address. At first only those do that were drawn for another
 * address: what was typed before the scripts ran stays.
 */
export function useAddressInFields(
  isOfList: boolean,
  search: URLSearchParams,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    const [before, now] = [shown.current, search.toString()];
    if (!isOfList || before === now) return;
    // A later choice is in the address already, and in the fields: it is drawn next.
    if (now !== new URLSearchParams(location.search).toString()) return;
    shown.current = now;
    for (const field of fieldsOf(form.current)) {
      const value = shownIn(field, search.get(field.name) ?? '');
      if (before !== null || value !== drawnIn(field)) field.value = value;
    }
  }, [isOfList, search]);
  return form;
}

export function fieldsOf(form: HTMLFormElement | null): Control[] {
  return [...(form?.elements ?? [])].filter(
    (field): field is Control =>
      (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) &&
      field.name !== '',
  );
}

type Control = HTMLInputElement | HTMLSelectElement;

/** The value that a field was drawn with. */
function drawnIn(field: Control): string {
  return field instanceof HTMLSelectElement
    ? ([...field.options].find((option) => option.defaultSelected)?.value ?? '')
    : field.defaultValue;
}

function shownIn({ dataset: { day: locale } }: Control, value: string): string {
  const day = locale === undefined ? null : readDay(value);
  return day === null ? value : typedDay(day, locale as Locale);
}
